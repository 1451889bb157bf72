/* throttle.h - throttles busy ranks while they are read
 *
 * Ranks that poll are always ready to run.  Where they outnumber the processors
 * and dominate the load, their readers get little processor time and take
 * minutes instead of seconds.  Then ranks are stopped and resumed in short
 * intervals, the stops no longer than that of a look, until they are read: the
 * job loses about as much time as its reading takes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_THROTTLE_H
#define MQ_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>

#include "direct/halt.h"
#include "mqdump/sample/recorder.h"

/* A process that may be stopped. */
struct mq_throttled {
    const struct mq_pin *pin;
    struct mq_outcome *outcome;
    struct mq_halt halt;
};

/* All zero: none. */
struct mq_throttle {
    struct mq_throttled *all;
    size_t count, room;
    bool is_stopped;            /* some are: the readers run */
    double since, until;        /* of this interval; 0: none yet */
};

/* Adds a process of this host. */
enum mq_result mq_throttle_add(struct mq_throttle *, const struct mq_pin *,
                               struct mq_outcome *, struct mq_error *);

/* Begins the next interval when it is due; gives the milliseconds until the one
 * after that.
 */
int mq_throttle_step(struct mq_throttle *);

/* Resumes all. */
void mq_throttle_end(struct mq_throttle *);
void mq_throttle_deinit(struct mq_throttle *);

#endif
