/* mismatch.h - collective operations that cannot come together
 *
 * Of a communicator whose members are all in collective operations on it, or
 * will never come, the operation that is first in its order has everybody whom
 * it needs; if they differ in operation or root, nobody goes on.  Of two
 * communicators, two members can each be in an operation of one of them while
 * the other one of the two is needed there.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MISMATCH_H
#define MQ_MISMATCH_H

#include "analysis/waits.h"

enum mq_mismatch_kind {
    mq_operations_differ,       /* on one communicator */
    mq_roots_differ,            /* of one operation on it */
    mq_orders_differ,           /* of two communicators */
    mq_member_ended             /* has left MPI, or will without coming */
};

/* The many of a communicator, and the few who do something else. */
struct mq_mismatch {
    enum mq_mismatch_kind kind;
    bool certain;               /* all of them are stuck for sure, or ended */
    uint32_t many, few;         /* the first process of each */
    size_t many_count, few_count;
    int *ranks;                 /* of the many, then of the few; ascending */
};

struct mq_mismatches {
    size_t count, room;
    struct mq_mismatch *mismatches;
};

/* PROSPECTS is what mq_stuck_find gives. */
enum mq_result mq_mismatches_find(const struct mq_waits *,
                                  const uint8_t *prospects, struct mq_error *,
                                  struct mq_mismatches *);
void mq_mismatches_destroy(struct mq_mismatches *);

#endif
