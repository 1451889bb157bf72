/* watch.h - watches a job until it hangs
 *
 * All processes are read now and then, and in between only asked whether they
 * go on (pulse.h).  A look stops processes, so that the next one has to wait
 * for a hundred times as long as that took, unless nothing moves anyway.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WATCH_H
#define MQ_WATCH_H

#include "mqdump/cli/output.h"
#include "mqdump/cli/settings.h"

/* Watches the jobs of the settings' sources until they have ended, hang if the
 * settings say so, or the user interrupts.  On a terminal one page is drawn
 * again and again, elsewhere a line is written on stderr when something has
 * happened.  The status is that of the report on a hung job, or else shown,
 * also for a job that has ended.
 */
enum mq_exit mq_watch(const struct mq_settings *, struct mq_logger *);

#endif
