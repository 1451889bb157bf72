/* watch_page.h - what a watch shows on a terminal */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_WATCH_PAGE_H
#define MQ_WATCH_PAGE_H

#include <time.h>

#include "base/strbuf.h"
#include "job/job.h"
#include "mqdump/pulse.h"
#include "mqdump/screen.h"

enum { mq_watch_time_room = 32 };

/* What is known of the job. */
struct mq_watch_view {
    size_t count;
    struct mq_pulse *pulses;    /* of its ranks, by rank */
    struct mq_job worlds;       /* the job's, and nothing else of it */
    double interval, watched, stopped;  /* seconds */
    time_t read_at;             /* when all of the job was read */
    time_t since;               /* it stands still; 0: it does not */
    enum mq_verdict verdict;
    struct mq_strbuf summary;   /* the verdict in words; empty: not read yet */
    struct mq_strbuf causes;    /* a line each */
    struct mq_strbuf trouble;   /* why it could not be read; or empty */
};

/* "2026-11-22 01:13:30". */
void mq_watch_time(time_t, char text[mq_watch_time_room]);

/* "ranks were stopped for 0.21 s of 65 s (0.3 %)" */
void mq_watch_cost(const struct mq_watch_view *, struct mq_strbuf *words);

/* Draws the page. */
void mq_watch_page(struct mq_screen *, const struct mq_watch_view *);

#endif
