/* overload.h - detection of looks that are slow on a busy host
 *
 * Where many more threads are ready to run than there are processors, work of a
 * second takes a minute.  That is logged once, and the report shows what could
 * be read in a few seconds.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_OVERLOAD_H
#define MQ_OVERLOAD_H

#include <stdbool.h>

#include "base/log.h"

struct mq_moment;

struct mq_overload {
    struct mq_logger *logger;   /* gets a message when it is late; or null */
    double start;               /* of the first look, */
    double begin;               /* the same, later by all deliberate waits */
    bool is_late;               /* false at the beginning */
    int looks;                  /* at all processes, so far */
    const struct mq_moment *moment;     /* where that is noted, or null */
};

/* The number of runnable threads of this host; 0: not known. */
long mq_host_wanting(void);

/* Checks the time that has passed. */
void mq_overload_check(struct mq_overload *);

/* Whether more than SECONDS have passed SINCE then, on a busy host. */
bool mq_overload_is_past(double since, double seconds);

#endif
