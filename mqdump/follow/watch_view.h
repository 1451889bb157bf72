/* watch_view.h - state of a watched job */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_WATCH_VIEW_H
#define MQ_WATCH_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "model/job.h"
#include "mqdump/sample/pulse.h"
#include "mqdump/sample/reading.h"

/* All zero at first. */
struct mq_watch_view {
    size_t count;
    struct mq_pulse *pulses;    /* of its ranks, by rank */
    struct mq_job worlds;       /* the job's, and nothing else of it */
    double interval, watched, stopped;  /* seconds */
    time_t read_at;             /* when all of the job was read */
    time_t since;               /* it makes no progress; 0: it does not */
    enum mq_verdict verdict;
    struct mq_strbuf summary;   /* the verdict in words; empty: not read yet */
    struct mq_strbuf causes;    /* and near misses, a line each */
    struct mq_strbuf holders;   /* ranks outside MPI that hold it up, and what
                                   they do; or empty */
    struct mq_strbuf trouble;   /* why it could not be read; or empty */
};

/* Takes over what was read of the job and what that means, and takes the pulses
 * of its ranks; the results of earlier ones of the same processes stay valid.
 */
enum mq_result mq_watch_view_renew(struct mq_watch_view *,
                                   const struct mq_reading *,
                                   const struct mq_analysis *,
                                   struct mq_error *);

/* No rank of the job is known any more, and nothing of what it does. */
void mq_watch_view_forget(struct mq_watch_view *);

void mq_watch_view_deinit(struct mq_watch_view *);

/* Since when all that are stuck have been in their calls. */
time_t mq_watch_view_since(const struct mq_watch_view *);

/* Of a job in which ranks outside MPI hold all others up: whether there are
 * such, whether they have all slept for SECONDS, and since when at the latest.
 * mq_watch_view_holders gives them or, if there are none, the verdict.
 */
bool mq_watch_view_is_held(const struct mq_watch_view *);
bool mq_watch_view_is_blocked(const struct mq_watch_view *, double seconds);
time_t mq_watch_view_held_since(const struct mq_watch_view *);
void mq_watch_view_holders(struct mq_watch_view *);

/* Whether all ranks have stayed in their calls, and none of these is MPI_Init,
 * which lasts as long as the start of the job.
 */
bool mq_watch_view_stays(const struct mq_watch_view *);

/* Whether one of the ranks may have gone on just before it was read. */
bool mq_watch_view_went_on(const struct mq_watch_view *);

/* Whether one of the ranks has been stopped by a signal or a debugger. */
bool mq_watch_view_is_stopped(const struct mq_watch_view *);

/* Whether one of the ranks still runs. */
bool mq_watch_view_has_rank(const struct mq_watch_view *);

#endif
