/* match.h - matching of communicators across ranks
 *
 * A process knows of a communicator the group, the name and an id that means
 * nothing elsewhere.  Those of one group (for an inter-communicator: of one
 * pair of groups) are matched up by what is evidence, in this order:
 *   - an id that all ranks have agreed on, as libmqwatch has them do;
 *   - equal ids, where none can be an address (all are below 65536, or
 *     have the highest bit) and names do not speak against it: the DLL gives
 *     contexts, or both of an inter-communicator;
 *   - a name that each process has once;
 *   - the messages that one side lists as sent and the other as unexpected,
 *     where these leave no choice;
 *   - the order of those of one name in each process, where all have equally
 *     many: that is assumed, and nothing that depends on it is certain.
 * Communicators that remain are ambiguous: such communicators share one number,
 * and a user must take each of them for any of them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MATCH_H
#define MQ_MATCH_H

#include "model/rank_index.h"

enum {
    mq_communicator_unknown = 0     /* could be any of the job */
};

struct mq_match {
    size_t *first;              /* by process: index into numbers */
    uint32_t *numbers;          /* by communicator: equal for the same one */
    bool *internal;             /* by communicator */
    uint32_t count;             /* of numbers, mq_communicator_unknown too */
    bool *ambiguous;            /* by number */
    bool *assumed;              /* by number: from their order */
};

enum mq_result mq_match_create(const struct mq_job *,
                               const struct mq_rank_index *, struct mq_error *,
                               struct mq_match *match);
void mq_match_destroy(struct mq_match *match);

/* The number of the communicator with this index in the process. */
uint32_t mq_match_number(const struct mq_match *, size_t process,
                         size_t communicator);

/* Whether the messages of a communicator name the ranks of another group than
 * the process's own.
 */
bool mq_is_inter(const struct mq_process *, const struct mq_communicator *);

/* Whether a communicator is the MPI library's own, the collective twin of the
 * one before it, which has the same group and, since they are listed by
 * context, the context before: its name is what a library calls
 * the twin (adapters.h); or both have no name, where the
 * library lists twins.  Any other name is a user's.
 */
bool mq_match_is_internal(const struct mq_match *, size_t process,
                          size_t communicator);

#endif
