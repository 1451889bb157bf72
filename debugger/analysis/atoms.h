/* atoms.h - builder for the atoms of the wait-for graph
 *
 * For the construction of the graph only: the builder, its nodes, the atoms of
 * the current rank, and the functions by which the files of all kinds of calls
 * add to them.  Each of these states in its head which evidence gives which
 * value.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ATOMS_H
#define MQ_ATOMS_H

#include "analysis/graph.h"
#include "base/map.h"

/* A process that has locked something of a window. */
struct mq_lock_holder {
    uint64_t key;               /* of the window and the target */
    uint32_t process;
};

struct mq_builder {
    const struct mq_match_table *table;
    const struct mq_job *job;
    struct mq_waits *made;
    mq_reasons not_given;       /* why not all ranks of one job were given,
                                   once each */
    mq_reasons not_read;        /* why not all were read whole */
    bool all_inside;            /* ranks that have not ended, and were counted
                                   to stay in calls that block */
    size_t hidden;              /* ranks that may be sending without a trace */
    size_t blocked;             /* ranks in calls that block */
    struct mq_map groups;       /* by hash: index */
    struct mq_map ports;        /* by name and call: a process at it */
    size_t group_room;
    struct absentees {          /* of the group that was last asked for */
        bool is_set;
        struct mq_waits_group group;
        size_t next;            /* the members before have been looked at */
        size_t count;           /* of those that have not come; the first ones
                                   are before these places */
        size_t ends[mq_most_absent];
    } absentees;
    struct mq_need *needs;      /* of all that were looked at, */
    size_t count, room;
    size_t first;               /* and from this one on of */
    uint32_t self;              /* the process whose needs are looked for, */
    struct mq_waiter *waiter;   /* and what is made of it */
    bool is_coming;             /* something that would do is being moved to
                                   it, or was */
    bool has_come;              /* something that it needs is there */
    bool is_held;               /* by an operation that cannot end */
    bool is_noted;              /* all that can end its call on a window */
    bool has_holders;           /* they have been looked for, in all */
    size_t holder_count, holder_room;   /* windows; ascending */
    struct mq_lock_holder *holders;
    uint32_t noted_window;      /* the number of the latest that was asked for,
                                   and whether all its members note */
    bool is_noted_by_all;
    bool is_at_file;            /* any process, which may keep those waiting
                                   that are in an operation on a file */
    bool has_ended;             /* any process */
    bool is_ending;             /* the job: no process is in a call that
                                   blocks, or in an unknown one */
};

/* ---- atoms.c: the process, its call, nodes and atoms ------------------- */

const struct mq_process *mq_self(const struct mq_builder *);
enum mq_wait mq_self_call(const struct mq_builder *);

/* Makes it unknown whether the process stays in its call. */
void mq_doubt(struct mq_builder *, enum mq_reason reason);

/* Why it is unknown what the call of the process waits for. */
enum mq_reason mq_reason_of_wait(const struct mq_builder *);

/* The node of a rank of the job. */
uint32_t mq_rank_node(const struct mq_builder *, int64_t rank);

/* The node that the operation REF, of the process itself, needs. */
enum mq_result mq_peer_node(struct mq_builder *,
                            const struct mq_operation_ref *ref,
                            struct mq_error *, uint32_t *node);

/* The node of all that wait for the same as GROUP. */
enum mq_result mq_group_node(struct mq_builder *,
                             const struct mq_waits_group *group,
                             struct mq_error *, uint32_t *node);

/* Whether two groups wait for the same. */
bool mq_is_same_group(const struct mq_waits_group *,
                      const struct mq_waits_group *);

/* Adds an atom to the process's condition. */
enum mq_result mq_add_need(struct mq_builder *,
                           const struct mq_operation_ref *ref, uint32_t node,
                           enum mq_value value, struct mq_error *);

/* Adds something unknown: of the peer that doubtful arguments name, else of any
 * member of the call's communicator, or of any rank.
 */
enum mq_result mq_add_unknown(struct mq_builder *, struct mq_error *);

/* Adds what only other ranks can do, and it is not known which. */
enum mq_result mq_add_others(struct mq_builder *, struct mq_error *);

bool mq_has_needs(const struct mq_builder *);

/* ---- receive.c: posted receives, and probes --------------------------- */

/* Whether a message for the receive or probe REF is there. */
bool mq_receive_is_met(struct mq_builder *, const struct mq_operation_ref *ref);

/* ---- send.c: sends that are not buffered ------------------------------ */

/* Whether the message of the pending send REF to NODE is on its way, or has met
 * its receive.
 */
bool mq_send_is_met(struct mq_builder *, const struct mq_operation_ref *ref,
                    uint32_t node);

/* Adds the messages that no list of the process explains: each can be what it
 * is blocked in sending.
 */
enum mq_result mq_add_unlisted(struct mq_builder *, struct mq_error *);

/* Whether a message of PROCESS may be on its way to a receive that is on no
 * list any more, and nothing shows it.
 */
bool mq_may_send_unseen(const struct mq_builder *, size_t process);

/* Whether the data of all messages that no list explains are at the sender. */
bool mq_all_at_sender(const struct mq_builder *);

/* Whether the message of the blocking send that the process is in is one of
 * those at their receivers: all ranks take in what comes, so that it is nowhere
 * else.
 */
bool mq_message_is_there(const struct mq_builder *);

/* Whether the blocking send of one of several threads, which no list has, may
 * be over, so that this one waits for no more than its turn in the library: its
 * message is not known to wait at the receiver.
 */
bool mq_may_wait_for_turn(const struct mq_builder *);

/* Whether a need is the blocking send's that the process is in, whose message
 * is at its peer for all that can be seen: had that been buffered it would have
 * returned, and so it needs the receive as much as if nothing was there.
 */
bool mq_is_unbuffered_send(const struct mq_builder *, const struct mq_need *);

/* ---- requests.c: requests that arguments name, or that lists have ----- */

enum mq_result mq_add_awaited(struct mq_builder *, struct mq_error *);
enum mq_result mq_add_listed(struct mq_builder *, enum mq_wait call,
                             struct mq_error *);

/* Whether each need is a message that is known to be of a send that the call
 * waits for: as long as that is at its receiver, whatever else is on its way
 * does not end the call.
 */
bool mq_has_only_marked_needs(const struct mq_builder *);

/* ---- collective.c: collective operations ------------------------------ */

/* Adds the one that the process is in, and the nonblocking ones that it waits
 * for, as its other requests.
 */
enum mq_result mq_add_collective(struct mq_builder *, struct mq_error *);
enum mq_result mq_add_pending_collectives(struct mq_builder *,
                                          struct mq_error *);

/* Adds the members that have not entered the one that the process is in: after
 * the message that it waits for it may need others of theirs.
 */
enum mq_result mq_add_further(struct mq_builder *, struct mq_error *);

/* Numbers the operations of ranks that count them (collective_id). */
enum mq_result mq_number_collectives(struct mq_builder *, struct mq_error *);

/* ---- holders.c: locks, files, threads and children ------------------- */

/* Adds the resource that the process waits for, which is outside MPI. */
enum mq_result mq_add_resource(struct mq_builder *, struct mq_error *);

/* Whether the process waits for one. */
bool mq_waits_for_resource(const struct mq_builder *);

/* ---- startup.c: the begin and the end of MPI -------------------------- */

/* Finds out whether the job is ending. */
void mq_find_ending(struct mq_builder *);

/* Adds the ranks that have not begun MPI, or not ended it. */
enum mq_result mq_add_startup(struct mq_builder *, struct mq_error *);

/* ---- connection.c: MPI_Comm_accept and MPI_Comm_connect --------------- */

/* Finds the ports at which roots are. */
enum mq_result mq_find_ports(struct mq_builder *, struct mq_error *);

/* Adds the rank at the other side of the process's port, or its root. */
enum mq_result mq_add_connection(struct mq_builder *, struct mq_error *);

/* ---- window.c: locks and epochs of windows ---------------------------- */

/* Whether the process is in a call that waits for such, or polls for them. */
bool mq_is_on_window(const struct mq_builder *);
enum mq_result mq_add_window(struct mq_builder *, struct mq_error *);

/* ---- state.c: running, waiting, starting, ending ---------------------- */

/* The state of the process whose atoms have been added. */
enum mq_rank_state mq_state_find(const struct mq_builder *);

/* Whether a process does nothing but poll. */
bool mq_only_polls(const struct mq_process *);

/* Whether it is not known that a process goes on that is in none of MPI's
 * calls that block: at all looks it was in MPI, or near where it was, or
 * asleep at the only one, or just there with a receive pending, for which it
 * may ask in vain again and again, or what MPI has called back has called MPI.
 * A loop that waits for what another thread in MPI will do differs from one
 * that computes beside it: the data of the latter changes.
 */
bool mq_may_get_nowhere(const struct mq_process *);

/* ---- proof.c: a rank stays in its call until its condition is met ------ */

/* Notes what is known of a process, and what is not that the proofs of others
 * need.  To be called for all before the first proof.
 */
void mq_note_known(struct mq_builder *, size_t process);

/* Why it is not proven that the process is still, and waits for its needs and
 * nothing else; notes its proofs.
 */
mq_reasons mq_unproven(const struct mq_builder *);

#endif
