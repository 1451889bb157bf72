/* graph.h - the AND/OR wait-for graph
 *
 * An edge is an atom of a rank's condition, which needs all of them (AND) or
 * one (OR).  A node is a process, or a group: any member of it (for a receive
 * from any source), or all members that are not in the collective operation of
 * a communicator.  So a wildcard costs one edge, and each group its size.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_GRAPH_H
#define MQ_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/match_table.h"

/* ---- graph.c: reasons for unknown atoms --------------------------------- */

/* An atom of the wait-for graph is true, false or unknown (Kleene's logic), and
 * one that is unknown has at least one reason.  A reason that has no row in
 * reasons.def cannot be expressed.
 */
enum mq_reason {
#define MQ_REASON(id, name, subject, one, many, remedy, noted) mq_reason_##id,
#include "analysis/reasons.def"
#undef MQ_REASON
    mq_reason_count
};

/* A set of reasons: a bit for each. */
typedef uint64_t mq_reasons;

/* The subject of a sentence about a reason. */
enum mq_reason_subject {
    mq_subject_waiter,          /* the rank whose condition is unknown */
    mq_subject_source           /* ranks with missing information */
};

struct mq_reason_row {
    const char *name;           /* for programs */
    enum mq_reason_subject subject;
    const char *one, *many;     /* what is said of one rank, and of several */
    const char *remedy;
    const char *noted;          /* the one under libmqwatch; null: the same */
};

extern const struct mq_reason_row mq_reason_rows[mq_reason_count];

static inline mq_reasons mq_because(enum mq_reason reason)
{
    return (mq_reasons)1 << reason;
}

static inline bool mq_has_reason(mq_reasons set, enum mq_reason reason)
{
    return (set & mq_because(reason)) != 0;
}

/* Its remedy; IS_NOTED: libmqwatch notes calls already. */
const char *mq_reason_remedy(enum mq_reason, bool is_noted);

/* How many there are in a set. */
int mq_reasons_size(mq_reasons set);

/* ---- graph.c: the graph ------------------------------------------------- */

enum {
    mq_unknown_node = INT32_MAX /* a node that nothing is known of: a rank that
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

/* The value of an atom, "this peer has not done it yet, and only it can". */
enum mq_value {
    mq_value_missing,           /* the peer has not done it */
    mq_value_met,               /* it is there, or is being moved */
    mq_value_unknown            /* it is not what the rank is blocked in, if
                                   lists are in the order of calls and short
                                   messages are handed over at once */
};

enum {
    mq_need_call = mq_queue_classes,    /* the queue of a need that is no
                                           operation's, but the call's: see
                                           mq_need_pending */
    mq_need_resource            /* or of a resource outside MPI: holders.h */
};

/* An atom of a rank's condition: something that it waits for. */
struct mq_need {
    struct mq_operation_ref ref;        /* of a blocking send that is on no
                                           queue of its rank: the message at
                                           its receiver */
    uint32_t node;              /* of the peer */
    uint8_t value;              /* enum mq_value */
    bool is_open;               /* it is not known what it is: any rank of its
                                   node may have to do something */
    bool is_guessed;            /* its peers are known from doubtful
                                   arguments */
    bool is_further;            /* the last one, of a value that is unknown: it
                                   may be needed besides the others */
};

/* The evidence that a rank goes on by itself: see the table in waits.c. */
enum mq_freedom {
    mq_not_free,
    mq_free_moved,           /* its call returned, or a sample differed */
    mq_free_file,            /* it reads or writes a file for MPI */
    mq_free_outside,         /* what it waits for no queue lists */
    mq_free_message,         /* a message that would do is being moved */
    mq_free_met,             /* all that it needs is there */
    mq_free_polls,           /* calls of MPI_Test and kin return */
    mq_free_runs,            /* it is in no call that waits */
    mq_free_state,           /* what it will do is not known: it is not
                                   read, stopped or in MPI_Init */
    mq_freedoms
};

/* Proofs that a rank waits for its needs and nothing else. */
enum mq_proof {
    mq_proof_call = 1,          /* what was on its way has arrived since */
    mq_proof_queues = 2,        /* the queues of all ranks show all that it can
                                   be */
    mq_proof_amounts = 4        /* members give and take other amounts in its
                                   collective operation */
};

/* How the atoms of a rank make its condition. */
enum mq_condition {
    mq_condition_all = 1,       /* each of them must be met, not one */
    mq_condition_open = 2       /* it is not known what it waits for, if for
                                   anything */
};

/* The numbers of operations that ranks of a world come to, and that are on no
 * communicator (startup.c): MPI_Init, MPI_Finalize, and those of a group; the
 * call is that of PAST, if it is another one.
 */
#define MQ_BEGIN (UINT32_MAX - 1)
#define MQ_END (UINT32_MAX - 2)
#define MQ_OF_GROUP (UINT32_MAX - 3)

enum {
    mq_most_absent = 3          /* of a group, that are named */
};

struct mq_waits_group {
    const struct mq_group *group;       /* null: all ranks of the job */
    size_t upto;                /* local ranks below this one alone; 0: all */
    uint32_t collective;        /* 0: any member; else all members that have not
                                   come to a collective operation of the
                                   communicator with this number */
    bool is_loose;              /* of those one may be enough: that all are
                                   needed is unknown (one_may_suffice) */
    uint32_t collective_id;     /* as in struct mq_waits */
    uint64_t entered;           /* its number there; 0: not known */
    const struct mq_pending_collective *joined; /* the nonblocking operation of
                                           one of them; null: a blocking one */
    struct mq_collective past;  /* the same as it is noted; without a call if
                                   that is not known */
    struct mq_process_ref absent[mq_most_absent];   /* the first of those that
                                           have not come to that one; nobody
                                           for a rank that was not given */
    size_t absent_count;        /* of these; one more if there are others */
    bool is_misfit;             /* all have come, and what they give differs
                                   from what they take: members in it stay */
    bool lacks_ranks;           /* of the job: some were not given */
};

/* What is known of a process. */
enum mq_known {
    mq_knows_sends = 1,         /* the queue of all its communicators */
    mq_knows_unexpected = 2,
    mq_read_whole = 4           /* that and the receives, without error */
};

struct mq_waiter {
    struct mq_need *needs;
    uint32_t need_count;
    uint32_t collective;              /* as mq_current_collective gives it */
    uint32_t collective_id;              /* equal where ranks that count their
                                   collective operations are in the same one,
                                   with the same root; 0: not known */
    unsigned state : 8;         /* enum mq_rank_state */
    unsigned freedom : 8;       /* enum mq_freedom */
    unsigned condition : 4;     /* enum mq_condition */
    unsigned proofs : 4;        /* enum mq_proof, if it is proven to wait for
                                   its needs */
    unsigned known : 8;         /* enum mq_known */
    mq_reasons doubts;          /* why it is unknown whether it stays in its
                                   call until its condition is met; none: that
                                   is proven */
    mq_reasons gaps;            /* what is not known of it that others need for
                                   a proof */
};

static inline bool mq_has_further(const struct mq_waiter *waiter)
{
    return waiter->need_count > 0
           && waiter->needs[waiter->need_count - 1].is_further;
}

struct mq_waits {
    const struct mq_match_table *table;
    struct mq_waiter *of;       /* by process */
    struct mq_need *needs;      /* of all of them */
    size_t group_count;
    struct mq_waits_group *groups;      /* by node less process_count */
};

/* Makes the graph (waits.c).  MAIL must outlive it.  NOT_GIVEN: why not all
 * ranks of one job were given, once each.
 */
enum mq_result mq_waits_create(const struct mq_match_table *table,
                               mq_reasons not_given, struct mq_error *,
                               struct mq_waits *waits);
void mq_waits_destroy(struct mq_waits *waits);

/* Goes through the members of a group, from PLACE 0 on: NODE is the next one,
 * and mq_unknown_node for those in a row that were not given or do not count.
 * False after the last.
 */
bool mq_next_member(const struct mq_waits *,
                    const struct mq_waits_group *group, size_t *place,
                    uint32_t *node);

/* The process, or the group, that NODE is: nobody and null if it is the other
 * one, or mq_unknown_node.
 */
struct mq_process_ref mq_waits_process(const struct mq_waits *, uint32_t node);
const struct mq_waits_group *mq_waits_group(const struct mq_waits *,
                                            uint32_t node);

/* The node of a process; mq_unknown_node for nobody. */
uint32_t mq_waits_node(struct mq_process_ref);

/* The nonblocking collective operation that makes a need of a call; null: there
 * is none.
 */
const struct mq_pending_collective *mq_need_pending(const struct mq_waits *,
                                                    const struct mq_need *);

/* ---- window.c: locks and epochs of windows ------------------------------ */

/* Whether a need is of a call on a window, and of one PEER alone; *LOCK is the
 * lock of that rank that is in the way, or null.
 */
bool mq_window_need(const struct mq_waits *, const struct mq_need *need,
                    uint32_t *peer, const struct mq_epoch **lock);

/* ---- connection.c: MPI_Comm_accept and MPI_Comm_connect ----------------- */

/* The name of the port at which a root is in MPI_Comm_accept or
 * MPI_Comm_connect; null: it is in neither, or the name is not known.
 */
const char *mq_port_of(const struct mq_waits *, uint32_t process);

/* Whether a process in one of the two is in MPI_Comm_accept. */
bool mq_is_accepting(const struct mq_process *);

#endif
