/* arrivals.h - arrival of members at collective operations
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ARRIVALS_H
#define MQ_ARRIVALS_H

#include "analysis/graph.h"

/* A process in a collective operation. */
struct mq_present {
    uint32_t process;
    uint32_t communicator;      /* index in the process */
    uint32_t number;            /* of the communicator (match.h) */
    uint64_t entered;           /* which one there; 0: not known */
    const struct mq_pending_collective *joined; /* a nonblocking one; null: the
                                           call itself */
    const struct mq_collective *past;   /* one it has left; null: it is in it */
    bool is_few;                /* of a mismatch: it does something else than
                                   most do */
};

/* The operations that a process is in, by I from 0 on: that of its call, or
 * those that it waits for; false: there are no more.
 */
bool mq_present_get(const struct mq_waits *, uint32_t process, size_t i,
                    struct mq_present *present);

/* The function that began the operation; null: not known. */
const char *mq_present_call(const struct mq_job *, const struct mq_present *);

/* The root of its operation; below 0 if that has none, or if a process of an
 * inter-communicator does not say which of the other group it is.  False if it
 * is not known.
 */
bool mq_present_root(const struct mq_job *, const struct mq_present *,
                     int64_t *root);

/* Whether a process is in a collective operation of the communicator with a
 * number.
 */
bool mq_is_in_collective(const struct mq_waits *, uint32_t process,
                         uint32_t collective);

/* How many collective operations a process has begun on the communicator with
 * a number; 0: not known.
 */
uint64_t mq_collectives_entered(const struct mq_waits *, uint32_t process,
                                uint32_t number);

/* The collective operation that a process entered as its operation ENTERED on
 * the communicator with a number; null: not known.
 */
const struct mq_collective *mq_collective_find(const struct mq_waits *,
                                               uint32_t process,
                                               uint32_t number,
                                               uint64_t entered);

/* Whether a process has come to the collective operation of a group, or has
 * passed it.
 */
bool mq_has_come(const struct mq_waits *, uint32_t process,
                 const struct mq_waits_group *group);

/* Whether a process is there and has not called MPI_Init. */
bool mq_is_before_mpi(const struct mq_process *);

/* As mq_next_member, of those members that a group waits for: who have not come
 * to its operation, if it has a roll; of all ranks of the job those that were
 * given.
 */
bool mq_next_awaited(const struct mq_waits *,
                     const struct mq_waits_group *group, size_t *place,
                     uint32_t *node);

/* ---- amounts.c: mismatched amounts of data ------------------------------ */

/* Whether all members of GROUP have come to the operation that it is of, what
 * they give differs from what they take, and those that are still in it have
 * been there for longer than it takes to move what they await: these stay.
 */
bool mq_is_misfit(const struct mq_waits *, const struct mq_waits_group *group);

#endif
