/* no_progress.c - time limit for a watched job without progress */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/follow/no_progress.h"

/* `mqdump run` has a period of its own, which is no limit of the user's. */
double mq_no_progress_limit(const struct mq_settings *settings)
{
    const struct mq_watch_settings *watch = &settings->watch;

    return watch->no_progress > 0 ? watch->no_progress
           : watch->is_usual ? 0 : watch->stuck_after;
}

void mq_no_progress_advice(const struct mq_settings *settings,
                           struct mq_strbuf *words)
{
    mq_strbuf_add(words, "; a program that spends more than %g s between MPI"
                  " calls needs a longer %s", mq_no_progress_limit(settings),
                  settings->watch.no_progress > 0 ? "--no-progress"
                                                  : "--stuck-after");
}
