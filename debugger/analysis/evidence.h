/* evidence.h - evidence behind the verdict on one rank
 *
 * Data for reports: where each part of a rank's condition is known from, and
 * what is known of the rank's staying in its call.  The parts themselves are
 * the needs of graph.h, their unknown ones have the reasons of reasons.h.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_EVIDENCE_H
#define MQ_EVIDENCE_H

#include "analysis/findings.h"

enum mq_fate {
    mq_fate_free,               /* it goes on by itself, or its condition is
                                   met by ranks that do */
    mq_fate_possibly_stuck,
    mq_fate_stuck,              /* proved */
    mq_fate_ended,              /* it is in MPI_Finalize, or has ended */
    mq_fate_not_given,
    mq_fates
};

/* "free" and so on, as programs read them. */
extern const char *const mq_fate_names[mq_fates];

/* The result for NODE of the wait-for graph, or for mq_unknown_node. */
enum mq_fate mq_fate_of(const struct mq_analysis *, uint32_t node);

/* How it is known that a rank stays in its call. */
enum mq_stay {
    mq_stay_unknown,
    mq_stay_moved,              /* it does not */
    mq_stay_alike,              /* all samples were alike */
    mq_stay_counted,            /* the kernel counted no return of the call */
    mq_stay_noted,              /* libmqwatch did */
    mq_stay_asserted,           /* the user says so (--still) */
    mq_stays
};

extern const char *const mq_stay_names[mq_stays];

enum mq_stay mq_stay_of(const struct mq_analysis *, size_t process);

/* Where an atom is known from. */
enum mq_origin {
    mq_origin_queue,            /* a queue, through a message-queue DLL */
    mq_origin_arguments,        /* the arguments of the call */
    mq_origin_noted,            /* libmqwatch noted the operation */
    mq_origin_call,             /* the call alone */
    mq_origin_resource,         /* the memory of the lock, or the kernel */
    mq_origins
};

extern const char *const mq_origin_names[mq_origins];

enum mq_origin mq_origin_of(const struct mq_analysis *,
                            const struct mq_need *);

/* "moved" and so on: why a rank is free, as programs read it; null: it is not.
 */
const char *mq_freedom_name(enum mq_freedom);

/* "missing", "met" and "unknown". */
extern const char *const mq_value_names[];

#endif
