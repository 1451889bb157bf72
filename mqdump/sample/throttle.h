/* throttle.h - reading on a busy host, where busy ranks are throttled
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

#include "base/log.h"
#include "direct/halt.h"
#include "mqdump/sample/recorder.h"

/* Where many more threads are ready to run than there are processors, work of a
 * second takes a minute.  That is logged once, and the report shows what could
 * be read in a few seconds.
 */
struct mq_overload {
    struct mq_logger *logger;   /* gets a message when it is late; or null */
    double start;               /* of the first look, */
    double begin;               /* the same, later by all deliberate waits */
    bool is_late;               /* false at the beginning */
    int looks;                  /* at all processes, so far */
    const struct mq_moment *moment;     /* where that is noted, or null */
};

/* Checks the time that has passed. */
void mq_overload_check(struct mq_overload *);

/* Whether more than SECONDS have passed SINCE then, on a busy host. */
bool mq_overload_is_past(double since, double seconds);

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
