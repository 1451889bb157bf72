/* mismatch.h - mismatched collective operations
 *
 * Where ranks count collective operations, those of one communicator with one
 * number must be the same operation with the same root, blocking or not, and
 * what members give must be what the others take.  Elsewhere, of a communicator
 * whose members are all in collective operations on it, or will never come, the
 * operation that is first in its order has all participants that it needs; if
 * they differ, nobody goes on.  Of two communicators, two members can each be
 * in an operation of one of them while the other one of the two is needed
 * there.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MISMATCH_H
#define MQ_MISMATCH_H

#include "analysis/arrivals.h"
#include "analysis/stuck.h"

enum mq_mismatch_kind {
    mq_operations_differ,       /* on one communicator */
    mq_roots_differ,            /* of one operation on it */
    mq_amounts_differ,          /* that are given and taken in it */
    mq_orders_differ,           /* of two communicators */
    mq_member_ended             /* has left MPI, or will without coming */
};

/* The majority of a communicator, and the few that do something else. */
struct mq_mismatch {
    enum mq_mismatch_kind kind;
    bool certain;               /* all of them are stuck for sure, or ended */
    struct mq_present many, few;        /* the first of each; of those that
                                           ended only the process says
                                           something */
    size_t many_count, few_count;
    int *ranks;                 /* of the many, then of the few; ascending */
};

struct mq_mismatches {
    size_t count, room;
    struct mq_mismatch *mismatches;
};

/* PROSPECTS is what mq_stuck_find gives. */
enum mq_result mq_mismatches_find(const struct mq_waits *,
                                  const struct mq_prospects *prospects,
                                  struct mq_error *,
                                  struct mq_mismatches *);
void mq_mismatches_destroy(struct mq_mismatches *);

#endif
