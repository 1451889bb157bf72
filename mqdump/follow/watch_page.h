/* watch_page.h - terminal display of a watched job */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_WATCH_PAGE_H
#define MQ_WATCH_PAGE_H

#include <time.h>

#include "base/strbuf.h"
#include "mqdump/follow/watch_view.h"
#include "mqdump/system/screen.h"

enum { mq_watch_time_room = 32 };

/* "2026-11-22 01:13:30". */
void mq_watch_time(time_t, char text[mq_watch_time_room]);

/* "ranks were stopped for 0.21 s of 65 s (0.3 %)" */
void mq_watch_cost(const struct mq_watch_view *, struct mq_strbuf *words);

/* Draws the page. */
void mq_watch_page(struct mq_screen *, const struct mq_watch_view *);

#endif
