/* lag.h - ranks that are behind in collective operations
 *
 * Each rank counts what it has called on a communicator (entered of struct
 * mq_communicator); a rank that has called fewer than those that wait in such
 * an operation lags.  That is as true of a job that goes on, in which it comes
 * yet.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LAG_H
#define MQ_LAG_H

#include "analysis/graph.h"

/* Members that have called equally many, and those that have called more. */
struct mq_lag {
    bool certain;               /* none of them has moved between the looks, so
                                   that all of it is of one moment */
    uint32_t process;           /* the first of those behind */
    uint32_t communicator;      /* index in it */
    uint64_t missing;           /* the number of the first operation that they
                                   have not called */
    uint64_t distance;          /* how many more the foremost has called */
    bool is_distance_common;    /* all those ahead have */
    bool is_all_others;         /* those ahead are all other members */
    const char *call;           /* the missing one, as those ahead called it;
                                   null: not known of all, or they differ */
    const struct mq_frame *site;        /* and where; likewise */
    size_t count, ahead_count;
    int *ranks;                 /* those behind, then those ahead; each
                                   ascending */
};

struct mq_lags {
    size_t count, room;
    struct mq_lag *all;         /* of a communicator the furthest behind first;
                                   some of these at most */
};

enum mq_result mq_lags_find(const struct mq_waits *, struct mq_error *,
                            struct mq_lags *);
void mq_lags_destroy(struct mq_lags *);

#endif
