/* waits.h - what each rank is doing, and whom it needs in order to go on
 *
 * A node is a process, or a group: any member of it (for a receive from any
 * source), or all members who are not in the collective operation of a
 * communicator.  So a wildcard costs one edge, and each group that is asked for
 * its size.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WAITS_H
#define MQ_WAITS_H

#include "waits/mail.h"

enum {
    mq_nobody = INT32_MAX       /* a node that nothing is known of: a rank that
                                   was not given */
};

enum mq_rank_state {
    mq_rank_runs,               /* in no MPI call that waits */
    mq_rank_polls,              /* in MPI_Test and kin */
    mq_rank_waits,
    mq_rank_starting,           /* in MPI_Init */
    mq_rank_ending,             /* in MPI_Finalize, exit or abort */
    mq_rank_gone,               /* its process has ended */
    mq_rank_not_read,
    mq_rank_stopped,            /* by a signal; what it would do is unknown */
    mq_rank_states
};

/* "runs" and so on, as reports name them. */
extern const char *const mq_rank_state_names[mq_rank_states];

enum mq_need_flag {
    mq_need_met = 1,            /* nothing is missing: it is there, or is being
                                   moved */
    mq_need_unlikely = 2,       /* it is not what the rank is blocked in, if
                                   lists are in the order of calls and short
                                   messages are handed over at once */
    mq_need_unknown = 4,        /* nothing tells what it is: any rank of its
                                   node may have to do something */
    mq_need_guessed = 8         /* doubtful arguments tell whom it needs */
};

enum {
    mq_need_call = mq_queue_classes     /* the queue of a need that is no
                                           operation's, but the call's: see
                                           mq_need_joined */
};

/* Something that its rank waits for. */
struct mq_need {
    struct mq_operation_ref ref;        /* of a blocking send that is on no
                                           queue of its rank: the message at
                                           its receiver */
    uint32_t node;              /* of the peer */
    uint8_t flags;              /* enum mq_need_flag */
};

/* What is known of a rank from itself. */
enum mq_freedom {
    mq_goes_on = 1,             /* by evidence: see the table in waits.c */
    mq_may_go_on = 2,           /* it is not proven that it waits for its needs
                                   and nothing else, and did not move */
    mq_needs_all = 4,           /* each of its needs, not one of them */
    mq_needs_unknown = 8        /* nothing tells what it waits for, if for
                                   anything */
};

enum {
    mq_most_absent = 3          /* of a group, that are named */
};

struct mq_waits_group {
    const struct mq_group *group;       /* null: all ranks of the job */
    uint32_t roll;              /* 0: any member; else all members who have not
                                   come to a collective operation of the
                                   communicator with this number */
    bool is_loose;              /* of those one may be enough: that all are
                                   needed is not certain */
    uint32_t deed;              /* which: see mq_waits */
    uint64_t entered;           /* its number there; 0: not known */
    const struct mq_joined *joined;     /* which, of those that one of them
                                           joined; null: a blocking one */
    struct mq_past past;        /* the same as it is noted; without a call if
                                   that is not known */
    uint32_t absent[mq_most_absent];    /* the first of those who have not come
                                           to that one; mq_nobody was not
                                           given */
    size_t absent_count;        /* of these; one more if there are others */
    bool lacks_ranks;           /* of the job: some were not given */
};

struct mq_waits {
    const struct mq_mail *mail;
    const uint32_t *rolls;      /* as mq_rolls_find gives them */
    size_t *first;              /* by process: index into needs; one more than
                                   there are processes */
    struct mq_need *needs;
    uint8_t *states;            /* by process: enum mq_rank_state */
    uint8_t *freedom;           /* by process: enum mq_freedom */
    uint32_t *deeds;            /* by process: equal where ranks that count
                                   their collective operations are in the same
                                   one, with the same root; 0: not known */
    size_t group_count;
    struct mq_waits_group *groups;      /* by node less process_count */
};

/* MAIL and ROLLS must outlive the result.  COMPLETE: all ranks of one job were
 * given, once each.
 */
enum mq_result mq_waits_create(const struct mq_mail *mail,
                               const uint32_t *rolls, bool complete,
                               struct mq_error *, struct mq_waits *waits);
void mq_waits_destroy(struct mq_waits *waits);

/* How many processes may be members of a group, and the one at a place; none
 * for a rank that was not given or that does not count.  It is the same at as
 * many places, from this one on, as are given back.
 */
size_t mq_waits_group_size(const struct mq_waits *,
                           const struct mq_waits_group *group);
size_t mq_waits_members(const struct mq_waits *,
                        const struct mq_waits_group *group, size_t place,
                        int32_t *process);

/* Whether a process is in a collective operation of the communicator with a
 * number.
 */
bool mq_is_in_roll(const struct mq_waits *, uint32_t process, uint32_t roll);

/* Whether a process has come to the collective operation that a group with a
 * roll is of, or has passed it.
 */
bool mq_has_come(const struct mq_waits *, uint32_t process,
                 const struct mq_waits_group *group);

/* What a process entered on the communicator with a number as its operation
 * ENTERED there; null: not known.
 */
const struct mq_past *mq_past_of(const struct mq_waits *, uint32_t process,
                                 uint32_t number, uint64_t entered);

/* How many collective operations a process has begun on the communicator with
 * a number; 0: not known.
 */
uint64_t mq_collectives_entered(const struct mq_waits *, uint32_t process,
                                uint32_t number);

/* The nonblocking collective operation that makes a need of a call; null: there
 * is none.
 */
const struct mq_joined *mq_need_joined(const struct mq_waits *,
                                       const struct mq_need *);

/* Whether the call of a process is known not to have returned: that was
 * counted, or the user vouches for it.
 */
bool mq_stands_still(const struct mq_job *, const struct mq_process *);

/* Whether the call of a process did not return for longer than it takes to move
 * what it awaits, so that nothing that was there or on its way is it.
 */
bool mq_is_overdue(const struct mq_process *);

/* Whether a receive that it has posted is pending, but for that of its call. */
bool mq_has_pending_receive(const struct mq_process *);

/* For how many seconds a process must be looked at before its call alone tells
 * that it waits: by then all that it awaits would have been moved if the other
 * side were there.  Of several that it needs those are enough that are listed.
 * Infinite: that cannot be told.
 */
double mq_seconds_to_move(const struct mq_process *);

#endif
