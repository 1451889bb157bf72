/* waits.c - what each rank is doing, and whom it needs
 *
 * A rank in a call that blocks goes on only by evidence; where there is none,
 * it is not free but waits for something unknown.  What is found is looked up
 * here from the top, and the first line that holds is the answer:
 *
 *   evidence                                   the rank
 *   a look differed, or a call returned        goes on
 *   it reads or writes a file for MPI          goes on
 *   its call did not return for longer than    needs its peers, whatever lies
 *     it takes to move what it awaits            there: that is another's; or
 *     (overdue)                                  something unknown, if it has
 *                                                no peer left, or awaits what
 *                                                is on no list
 *   a message is being moved to it, or one     goes on
 *     that would do is on no list any more
 *   one peer is missing: all that it needs,    needs that peer
 *     or of several the last one that would do
 *   all that it needs is there: a message      goes on
 *     and its receive, or all members of the
 *     same collective operation
 *   none of these                              needs something unknown
 *
 * Who needs something unknown may need anybody of the job: if somebody goes on,
 * so may it, and if nobody does, it is stuck for all that is known, and never
 * for sure.  A rank that polls goes on as long as its calls return; whether
 * that leads anywhere is unknown.  If all of them are counted to have been in
 * vain, or each look found it at the same ones, it waits, and not for sure: it
 * may stop that.  To know more adds lines of evidence, and can make something
 * unknown a peer, but never a rank that waits one that is free, unless what is
 * added proves it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "waits/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "waits/blocked.h"
#include "waits/guess.h"
#include "waits/roll.h"
#include "waits/whereabouts.h"

const char *const mq_rank_state_names[mq_rank_states] = {
    "runs", "polls", "waits", "starting", "ending", "gone", "not-read",
    "stopped"
};

void mq_waits_destroy(struct mq_waits *waits)
{
    free(waits->first);
    free(waits->needs);
    free(waits->states);
    free(waits->freedom);
    free(waits->deeds);
    free(waits->groups);
    memset(waits, 0, sizeof *waits);
}

bool mq_is_in_roll(const struct mq_waits *waits, uint32_t process,
                   uint32_t roll)
{
    return waits->rolls[process] != MQ_NO_ROLL
           && mq_match_number(waits->mail->match, process,
                              waits->rolls[process]) == roll;
}

uint64_t mq_collectives_entered(const struct mq_waits *waits, uint32_t process,
                                uint32_t number)
{
    const struct mq_process *it = &waits->mail->job->processes[process];

    for (size_t c = 0; c < it->communicator_count; c++)
        if (it->communicators[c].agreed_id != 0
            && mq_match_number(waits->mail->match, process, c) == number)
            return it->communicators[c].entered;
    return 0;
}

const struct mq_joined *mq_need_joined(const struct mq_waits *waits,
                                       const struct mq_need *need)
{
    const struct mq_process *process =
        &waits->mail->job->processes[need->ref.process];

    return need->ref.queue == mq_need_call && need->ref.operation > 0
           ? &process->joined[need->ref.operation - 1] : NULL;
}

const struct mq_past *mq_past_of(const struct mq_waits *waits,
                                 uint32_t process, uint32_t number,
                                 uint64_t entered)
{
    const struct mq_process *it = &waits->mail->job->processes[process];

    for (size_t i = it->past_count; i-- > 0;)
        if (it->past[i].entered == entered
            && it->communicators[it->past[i].communicator].agreed_id != 0
            && mq_match_number(waits->mail->match, process,
                               it->past[i].communicator) == number)
            return &it->past[i];
    return NULL;
}

/* Whether two of one number cannot be the same operation. */
static bool differs(const struct mq_past *left, const struct mq_past *right)
{
    if (left->call == NULL || right->call == NULL
        || mq_call_is_persistent(left->call)
        || mq_call_is_persistent(right->call))
        return false;
    return !mq_call_is_same(mq_call_name(left->call),
                            mq_call_name(right->call))
           || (left->root != right->root && left->root >= 0
               && right->root >= 0)
           || (left->signature != right->signature && left->signature != 0
               && right->signature != 0);
}

/* Roots of inter-communicators are in one of the groups only. */
static bool is_same_joined(const struct mq_joined *left,
                           const struct mq_joined *right)
{
    return right != NULL && mq_call_is_same(left->began, right->began)
           && (left->root == right->root || left->root < 0 || right->root < 0);
}

/* Whether one that a process waits for stands where another one waits for that
 * of GROUP.
 */
static bool is_its_one(const struct mq_joined *it,
                       const struct mq_waits_group *group)
{
    if (mq_call_is_persistent(it->began)
        || (group->joined != NULL
            && mq_call_is_persistent(group->joined->began)))
        return is_same_joined(it, group->joined);
    return it->entered == group->entered;
}

/* The nonblocking operation that a process waits for and that is its one of the
 * group's number; null: none is known.
 */
static const struct mq_joined *joined_by(const struct mq_waits *waits,
                                         uint32_t process,
                                         const struct mq_waits_group *group)
{
    const struct mq_process *it = &waits->mail->job->processes[process];

    for (size_t i = 0; i < it->joined_count; i++)
        if (is_its_one(&it->joined[i], group)
            && mq_match_number(waits->mail->match, process,
                               it->joined[i].communicator) == group->roll)
            return &it->joined[i];
    return NULL;
}

bool mq_has_come(const struct mq_waits *waits, uint32_t process,
                 const struct mq_waits_group *group)
{
    bool is_in = mq_is_in_roll(waits, process, group->roll);
    const struct mq_past *past = group->past.call == NULL ? NULL
        : mq_past_of(waits, process, group->roll, group->entered);
    const struct mq_joined *joined;
    uint64_t entered;

    if (past != NULL && differs(past, &group->past))
        return false;
    if (is_in && waits->deeds[process] == group->deed)
        return true;
    if (group->entered == 0)
        return is_in;
    joined = joined_by(waits, process, group);
    if (joined != NULL)
        return is_same_joined(joined, group->joined);
    entered = mq_collectives_entered(waits, process, group->roll);
    return is_in ? entered > group->entered : entered >= group->entered;
}

struct builder {
    const struct mq_mail *mail;
    const struct mq_job *job;
    struct mq_waits *made;
    uint8_t *known;             /* by process: enum known */
    bool all_given;
    bool complete;              /* and read whole */
    bool all_inside;            /* ranks that have not ended, and were counted
                                   to stay in calls that block */
    size_t hidden;              /* ranks that may be sending without a trace */
    struct mq_map groups;       /* by address, roll and deed: index */
    size_t group_room;
    struct absentee {           /* of the group that was last asked for */
        struct mq_key key;
        int64_t upto;           /* all members before this one have come */
        uint32_t node;          /* who has not, at that place, or nobody */
    } absentee;
    size_t count, room;         /* of needs */
    uint32_t self;              /* the process whose needs are looked for */
    bool is_coming;             /* something that would do is being moved to
                                   it, or was */
    bool has_come;              /* something that it needs is there */
    bool is_at_file;            /* any process, which may keep those waiting
                                   that are in an operation on a file */
};

/* What is known of a process, found in one go. */
enum known {
    sends_known = 1,            /* the queue of all its communicators */
    unexpected_known = 2,
    read_whole = 4              /* that and the receives, and without error */
};

static const struct mq_process *self_of(const struct builder *b)
{
    return &b->job->processes[b->self];
}

static enum mq_wait call_of(const struct builder *b)
{
    return (enum mq_wait)b->mail->calls[b->self];
}

/* Whether the arguments of its call tell what the process waits for. */
static bool tells_requests(const struct mq_process *process)
{
    return process->awaiting == mq_awaiting_all
           || process->awaiting == mq_awaiting_any;
}

/* A probe is for no data. */
static double seconds_to_move(const struct mq_process *process,
                              const struct mq_operation *operation)
{
    return mq_call_wait(process->call) == mq_wait_probe
           || (operation->from_stack
               && mq_call_wait(process->call) == mq_wait_polls) ? 0
           : operation->desired_length < 0 ? INFINITY
           : (double)operation->desired_length / mq_slow_network;
}

/* The same of a collective operation, of which its own part tells. */
static double seconds_of_past(const struct mq_past *past)
{
    return past->bytes >= 0 ? (double)past->bytes / mq_slow_network
           : mq_call_is_without_data(past->call) ? 0 : INFINITY;
}

/* Of those that the process may be in. */
static double collective_seconds(const struct mq_process *process)
{
    double most = 0;

    for (size_t i = 0; i < process->past_count; i++)
        if (!process->past[i].has_ended && process->past[i].bytes >= 0)
            most = fmax(most, seconds_of_past(&process->past[i]));
    return most;
}

/* How many requests are known by a mark only. */
static size_t sends_awaited(const struct mq_process *process)
{
    size_t count = 0;

    for (size_t i = 0; i < process->mark_count; i++)
        count += process->marks[i].is_awaited;
    return count;
}

/* How many are on no list. */
static size_t unlisted_awaited(const struct mq_process *process)
{
    size_t count = 0;

    for (size_t i = 0; i < process->awaited_count; i++)
        count += process->awaited[i] == MQ_NOT_LISTED;
    return count;
}

double mq_seconds_to_move(const struct mq_process *process)
{
    const struct mq_operation *all = process->operations;
    size_t unlisted = unlisted_awaited(process);
    double most = mq_roll_needs_all(process) ? 0 : collective_seconds(process);

    for (size_t i = 0; i < process->awaited_count; i++)
        if (process->awaited[i] != MQ_NOT_LISTED)
            most = fmax(most, seconds_to_move(process,
                                              &all[process->awaited[i]]));
    return unlisted + sends_awaited(process) == 0
           || (process->awaiting == mq_awaiting_all
               && unlisted < process->awaited_count)
           ? most : INFINITY;
}

/* What is not known of a length is no reason to wait longer. */
static double listed_seconds(const struct mq_process *process, uint32_t index)
{
    double seconds = seconds_to_move(process, &process->operations[index]);

    return isinf(seconds) ? 0 : seconds;
}

static bool was_counted(const struct mq_process *process)
{
    return process->movement == mq_counted_still;
}

/* Whether a process does nothing but poll. */
static bool only_polls(const struct mq_process *process)
{
    return process->movement == mq_polled
           || (mq_call_wait(process->call) == mq_wait_polls
               && was_counted(process));
}

/* Whether a thread beside the first is busy with something that ends by itself,
 * so that it may call MPI next.
 */
static bool has_busy_thread(const struct mq_process *process)
{
    for (size_t i = 1; i < process->thread_count; i++)
        if (!mq_call_blocks(mq_call_wait(process->threads[i].call))
            && mq_lock_of(&process->threads[i]) == NULL)
            return true;
    return false;
}

bool mq_has_pending_receive(const struct mq_process *process)
{
    for (size_t c = 0; c < process->communicator_count; c++) {
        const struct mq_queue *queue =
            &process->communicators[c].queues[mq_receives];

        for (size_t i = 0; i < queue->count; i++) {
            const struct mq_operation *it =
                &process->operations[queue->first + i];

            if (!it->from_stack && it->status == mq_pending)
                return true;
        }
    }
    return false;
}

/* Whether it is not known that a process goes on that is in none of MPI's calls
 * that block: at all looks it was in MPI, or near where it was, or just there
 * with a receive pending, for which it may ask in vain again and again, or what
 * MPI has called back has called MPI.  No look tells a loop that waits for what
 * another thread in MPI will do from one that computes beside it.
 */
static bool may_get_nowhere(const struct mq_process *process)
{
    return mq_has_waiting_thread(process) || mq_calls_again(process)
           || (process->movement == mq_movement_unknown
               && (mq_is_in_library(process) || process->looks > 1))
           || (process->movement == mq_looks_equal
               && mq_has_pending_receive(process));
}

/* Whether a process does nothing while another of its threads waits in MPI. */
static bool leaves_it_to_thread(const struct mq_process *process)
{
    return process->movement == mq_looks_equal
           && mq_has_waiting_thread(process);
}

bool mq_is_overdue(const struct mq_process *process)
{
    double most = 0;

    for (size_t i = 0; i < process->awaited_count; i++)
        if (process->awaited[i] != MQ_NOT_LISTED)
            most = fmax(most, listed_seconds(process, process->awaited[i]));
    return was_counted(process) && process->looked_for > 0
           && most <= process->looked_for && !has_busy_thread(process);
}

bool mq_stands_still(const struct mq_job *job,
                     const struct mq_process *process)
{
    return job->still || was_counted(process);
}

/* Whether the call of a process is evidence enough that it waits for its needs,
 * whatever queues tell: what was on its way to it has arrived.
 */
static bool stands_by_call(const struct mq_process *process)
{
    if (!was_counted(process))
        return false;
    return mq_seconds_to_move(process) <= process->looked_for
           && (tells_requests(process) || mq_roll_needs_all(process));
}

/* ---- Nodes ------------------------------------------------------------ */

static uint32_t rank_node(const struct builder *b, int64_t rank)
{
    int32_t process = mq_rank_process(b->mail->ranks, rank);

    return process == mq_no_process ? (uint32_t)mq_nobody : (uint32_t)process;
}

size_t mq_waits_group_size(const struct mq_waits *waits,
                           const struct mq_waits_group *group)
{
    return group->group != NULL ? group->group->size
                                : waits->mail->job->process_count;
}

size_t mq_waits_members(const struct mq_waits *waits,
                        const struct mq_waits_group *group, size_t place,
                        int32_t *process)
{
    const struct mq_rank_index *ranks = waits->mail->ranks;

    if (group->group != NULL)
        return mq_rank_members(ranks, group->group, place, process);
    *process = mq_rank_counts(ranks, place) ? (int32_t)place : mq_no_process;
    return 1;
}

/* Notes who of a group with a roll has not come. */
static void find_absent(const struct builder *b, struct mq_waits_group *group)
{
    size_t i = 0;

    while (group->absent_count <= mq_most_absent && i < group->group->size) {
        int32_t process;
        size_t many = mq_waits_members(b->made, group, i, &process);

        i += many;
        if (process != mq_no_process
            && mq_has_come(b->made, (uint32_t)process, group))
            continue;
        while (many-- > 0 && group->absent_count <= mq_most_absent) {
            if (group->absent_count < mq_most_absent)
                group->absent[group->absent_count] =
                    process == mq_no_process ? (uint32_t)mq_nobody
                                             : (uint32_t)process;
            group->absent_count++;
        }
    }
}

static bool is_complete(const struct mq_waits_group *group)
{
    return group->roll != 0 && group->absent_count == 0;
}

/* Equal for groups that wait for the same. */
static struct mq_key key_of(const struct mq_waits_group *group)
{
    struct mq_key key = { (uintptr_t)group->group
                          ^ group->entered * 0x9e3779b97f4a7c15u,
                          (uint64_t)group->deed << 32
                          | (uint64_t)group->is_loose << 31 | group->roll };

    if (group->past.call != NULL)
        key.a ^= (uintptr_t)group->past.call * 0x94d049bb133111ebu
                 ^ group->past.signature;
    if (group->joined != NULL) {
        key.a ^= (uintptr_t)group->joined->began * 0xbf58476d1ce4e5b9u;
        key.b ^= (uint64_t)(uint32_t)group->joined->root << 32;
    }
    return key;
}

static enum mq_result group_node(struct builder *b,
                                 const struct mq_waits_group *group,
                                 struct mq_error *error, uint32_t *node)
{
    struct mq_waits *made = b->made;
    struct mq_key key = key_of(group);
    uint32_t *index;

    if (mq_map_add(&b->groups, key, (uint32_t)made->group_count, error, &index)
        != mq_ok)
        return mq_failed;
    *node = (uint32_t)b->job->process_count + *index;
    if (*index < made->group_count)
        return mq_ok;
    if (mq_array_reserve(&made->groups, sizeof *made->groups,
                         made->group_count + 1, &b->group_room,
                         "analysing receives from any source", error) != mq_ok)
        return mq_failed;
    made->groups[made->group_count] = *group;
    if (group->roll != 0)
        find_absent(b, &made->groups[made->group_count]);
    made->group_count++;
    return mq_ok;
}

/* Any rank of the job. */
static enum mq_result anyone_node(struct builder *b, struct mq_error *error,
                                  uint32_t *node)
{
    const struct mq_waits_group anyone = { .lacks_ranks = !b->all_given };

    return group_node(b, &anyone, error, node);
}

/* The node that the operation REF, of the process itself, needs. */
static enum mq_result peer_node(struct builder *b,
                                const struct mq_operation_ref *ref,
                                struct mq_error *error, uint32_t *node)
{
    const struct mq_operation *op = mq_operation_ref_operation(b->job, ref);
    const struct mq_group *group =
        mq_operation_ref_communicator(b->job, ref)->group;

    if (op->desired_global >= 0)
        *node = rank_node(b, op->desired_global);
    else if (mq_operation_is_any((enum mq_queue_class)ref->queue, op)
             && group != NULL)
        return group_node(b, &(struct mq_waits_group){ .group = group },
                          error, node);
    else
        return anyone_node(b, error, node);
    return mq_ok;
}

static enum mq_result add_need(struct builder *b,
                               const struct mq_operation_ref *ref,
                               uint32_t node, unsigned flags,
                               struct mq_error *error)
{
    struct mq_need need = { *ref, node, (uint8_t)flags };

    return mq_array_add(&b->made->needs, sizeof *b->made->needs, &b->count,
                        &b->room, &need, "building the wait-for graph", error);
}

/* ---- Operations ------------------------------------------------------- */

static bool is_known(const struct mq_process *process,
                     enum mq_queue_class queue)
{
    for (size_t i = 0; i < process->communicator_count; i++)
        if (process->communicators[i].queues[queue].state != mq_ok)
            return false;
    return true;
}

static bool takes(const struct mq_mail *mail,
                  const struct mq_operation_ref *receive,
                  const struct mq_operation_ref *message)
{
    const struct mq_operation *r = mq_operation_ref_operation(mail->job,
                                                              receive);
    const struct mq_operation *m = mq_operation_ref_operation(mail->job,
                                                              message);
    int64_t source = message->queue == mq_sends
                     ? mq_operation_ref_process(mail->job, message)->rank
                     : m->desired_global;

    return mq_match_number(mail->match, receive->process,
                           receive->communicator)
           == mq_match_number(mail->match, message->process,
                              message->communicator)
           && (r->desired_local < 0 || r->desired_global == source)
           && (r->tag_wild ? mq_fits_any_tag(m)
                           : r->desired_tag == m->desired_tag);
}

/* Whether what a probe looks for lies there, or is pending at its sender. */
static bool finds_message(const struct builder *b,
                          const struct mq_operation_ref *probe)
{
    const struct mq_mail *mail = b->mail;
    struct mq_operation_ref ref = mq_operation_ref_before(b->self);

    while (mq_operation_ref_next(b->job, &ref))
        if (ref.queue == mq_unexpected && takes(mail, probe, &ref))
            return true;
    for (size_t i = mail->first_send[b->self];
         i < mail->first_send[b->self + 1]; i++)
        if (mq_operation_ref_operation(b->job, &mail->sends[i])->status
            == mq_pending && takes(mail, probe, &mail->sends[i]))
            return true;
    return false;
}

/* Whether the message of a pending send is on its way, or has met its receive:
 * it has not arrived at a rank that takes in what comes.  Where the rank's
 * unexpected messages are not told, that cannot be known, nor of a rank in
 * MPI_Finalize whether it still takes in anything.  MPI_Ssend ends only when
 * its message is received, and a message of its kind that lies there tells that
 * no receive is posted for it.
 */
static bool send_is_met(struct builder *b, const struct mq_operation_ref *ref,
                        uint32_t node)
{
    const struct mq_operation *op = mq_operation_ref_operation(b->job, ref);
    uint8_t facts = *mq_facts(b->mail, ref);
    bool awaits_receive = op->from_stack && call_of(b) == mq_wait_ssend;

    if (facts & mq_met)
        return true;
    if (facts & mq_arrived && awaits_receive)
        return false;
    if (facts & mq_arrived && !(facts & mq_surely_arrived))
        b->made->freedom[b->self] |= mq_may_go_on;
    if (facts & mq_arrived)
        return op->from_stack && op->desired_length <= mq_always_buffered;
    if (node >= b->job->process_count)
        return false;
    if (!(b->known[node] & unexpected_known)) {
        if (!stands_by_call(self_of(b)))
            b->made->freedom[b->self] |= mq_may_go_on;
        return false;
    }
    if (b->mail->calls[node] == mq_wait_ending)
        b->made->freedom[b->self] |= mq_may_go_on;
    return mq_call_blocks((enum mq_wait)b->mail->calls[node])
           || b->mail->calls[node] == mq_wait_polls;
}

static bool is_met(struct builder *b, const struct mq_operation_ref *ref,
                   uint32_t node)
{
    uint8_t facts = *mq_facts(b->mail, ref);

    if (ref->queue == mq_sends)
        return send_is_met(b, ref, node);
    if (facts & mq_perhaps_met && !tells_requests(self_of(b)))
        b->made->freedom[b->self] |= mq_may_go_on;
    return facts & mq_met
           || (mq_is_probe(b->mail, ref) && finds_message(b, ref));
}

/* Whether nothing tells whose operation would do, and the job has nobody else
 * whose it may be.
 */
static bool names_nobody(const struct builder *b,
                         const struct mq_operation_ref *ref)
{
    return b->job->process_count == 1
           && mq_operation_ref_operation(b->job, ref)->desired_global < 0
           && mq_operation_ref_communicator(b->job, ref)->group == NULL;
}

/* A pending operation is something to wait for; one that is matched is met. */
static enum mq_result add_operation(struct builder *b,
                                    const struct mq_operation_ref *ref,
                                    unsigned flags, struct mq_error *error)
{
    const struct mq_operation *op = mq_operation_ref_operation(b->job, ref);
    uint32_t node;

    if (peer_node(b, ref, error, &node) != mq_ok)
        return mq_failed;
    if (names_nobody(b, ref)) {
        flags |= mq_need_unknown;
        b->made->freedom[b->self] |= mq_needs_unknown;
    }
    if (op->status != mq_pending || is_met(b, ref, node)) {
        if (flags & mq_need_unlikely)
            b->made->freedom[b->self] |= mq_may_go_on;
        else
            flags |= mq_need_met;
    }
    if (!(flags & mq_need_unlikely))
        *mq_facts(b->mail, ref) |= mq_awaited;
    return add_need(b, ref, node, flags, error);
}

/* ---- What a call waits for -------------------------------------------- */

/* Marks the awaited operations that are listed; one that is not is complete or
 * being filled.
 */
static enum mq_result mark_awaited(struct builder *b, struct mq_error *error,
                                   bool **marked)
{
    const struct mq_process *process = self_of(b);
    bool *marks = calloc(process->operation_count + 1, sizeof *marks);

    if (marks == NULL)
        return mq_fail_memory(error, "building the wait-for graph");
    for (size_t i = 0; i < process->awaited_count; i++)
        if (process->awaited[i] < process->operation_count)
            marks[process->awaited[i]] = true;
        else
            b->has_come = true;
    b->is_coming |= b->has_come && process->awaiting == mq_awaiting_any;
    *marked = marks;
    return mq_ok;
}

static enum mq_result add_joined(struct builder *b, struct mq_error *error);
static enum mq_result add_unknown(struct builder *b, struct mq_error *error);

/* How many messages with this mark lie somewhere. */
static size_t count_marked(const struct builder *b, uint64_t mark)
{
    const struct mq_mail *mail = b->mail;
    size_t count = 0;

    for (size_t i = mail->first_unlisted[b->self];
         i < mail->first_unlisted[b->self + 1]; i++)
        count += mq_operation_ref_operation(b->job, &mail->unlisted[i])->mark
                 == mark;
    return count;
}

/* The messages of the sends that the arguments of the call tell: each lies at
 * its receiver, and only the one of the process's has its mark.  One that seems
 * to lie at two was read at different moments.  Of those of which none lies
 * anywhere nothing is known: they are on their way, or were received.
 */
static enum mq_result add_marked(struct builder *b, struct mq_error *error)
{
    const struct mq_mail *mail = b->mail;
    const struct mq_process *process = self_of(b);
    bool is_missing = false;

    for (size_t i = mail->first_unlisted[b->self];
         i < mail->first_unlisted[b->self + 1]; i++) {
        const struct mq_operation_ref *message = &mail->unlisted[i];

        if (!mq_is_awaited_send(process,
                                mq_operation_ref_operation(b->job, message)))
            continue;
        *mq_facts(b->mail, message) |= mq_awaited;
        if (add_need(b, message, message->process, 0, error) != mq_ok)
            return mq_failed;
    }
    for (size_t i = 0; i < process->mark_count; i++) {
        size_t count;

        if (!process->marks[i].is_awaited)
            continue;
        count = count_marked(b, process->marks[i].mark);
        is_missing |= count == 0;
        if (count > 1)
            b->made->freedom[b->self] |= mq_may_go_on;
    }
    return is_missing && process->awaiting == mq_awaiting_any
           ? add_unknown(b, error) : mq_ok;
}

/* What the arguments of the call tell that it waits for. */
static enum mq_result add_awaited(struct builder *b, struct mq_error *error)
{
    struct mq_operation_ref ref = mq_operation_ref_before(b->self);
    bool *marks = NULL;
    enum mq_result result = mark_awaited(b, error, &marks);

    if (result != mq_ok)
        return result;
    if (self_of(b)->awaiting == mq_awaiting_all)
        b->made->freedom[b->self] |= mq_needs_all;
    while (result == mq_ok && mq_operation_ref_next(b->job, &ref))
        if (marks[ref.operation])
            result = add_operation(b, &ref, 0, error);
    free(marks);
    if (result == mq_ok)
        result = add_marked(b, error);
    return result == mq_ok ? add_joined(b, error) : result;
}

/* Whether a pending operation comes after REF in the same queue. */
static bool has_newer(const struct builder *b,
                      const struct mq_operation_ref *ref)
{
    const struct mq_queue *queue =
        &mq_operation_ref_communicator(b->job, ref)->queues[ref->queue];
    const struct mq_operation *operations = self_of(b)->operations;

    for (uint32_t i = ref->operation + 1; i < queue->first + queue->count;
         i++)
        if (operations[i].status == mq_pending)
            return true;
    return false;
}

/* Whether an operation can be what a call of this kind waits for. */
static bool can_hold(const struct builder *b, enum mq_wait call,
                     const struct mq_operation_ref *ref)
{
    bool send = ref->queue == mq_sends;

    if (ref->queue == mq_unexpected
        || mq_operation_ref_operation(b->job, ref)->status == mq_complete)
        return false;
    switch (call) {
    case mq_wait_receive:
        return !send;
    case mq_wait_ssend:
        return send;
    case mq_wait_probe:
        return mq_is_probe(b->mail, ref);
    case mq_wait_collective:
        return mq_is_internal(b->mail, ref);
    case mq_wait_request:
    case mq_wait_unknown:
        return true;
    default:
        return false;
    }
}

static enum mq_result add_listed(struct builder *b, enum mq_wait call,
                                 struct mq_error *error)
{
    bool newest = call == mq_wait_receive || call == mq_wait_ssend;
    struct mq_operation_ref ref = mq_operation_ref_before(b->self);

    while (mq_operation_ref_next(b->job, &ref))
        if (can_hold(b, call, &ref)
            && add_operation(b, &ref, newest && has_newer(b, &ref)
                                      ? mq_need_unlikely : 0, error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

static int64_t length_of(const struct builder *b,
                         const struct mq_operation_ref *ref)
{
    return mq_operation_ref_operation(b->job, ref)->desired_length;
}

/* Each message that no list of the rank's explains can be what it is blocked
 * in sending.  The likely ones are the longest: a library hands over at once
 * what is short.
 */
static enum mq_result add_unlisted(struct builder *b, struct mq_error *error)
{
    const struct mq_mail *mail = b->mail;
    size_t begin = mail->first_unlisted[b->self];
    size_t end = mail->first_unlisted[b->self + 1];
    int64_t longest = 0;

    for (size_t i = begin; i < end; i++)
        if (length_of(b, &mail->unlisted[i]) > longest)
            longest = length_of(b, &mail->unlisted[i]);
    for (size_t i = begin; i < end; i++) {
        const struct mq_operation_ref *message = &mail->unlisted[i];
        bool shorter = length_of(b, message) < longest;

        if (add_need(b, message, message->process,
                     shorter ? mq_need_unlikely : 0, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

static bool has_needs(const struct builder *b)
{
    return b->count > b->made->first[b->self];
}

/* The member with a local rank, if it has not come to the collective operation;
 * else nobody.
 */
static uint32_t absentee(const struct builder *b,
                         const struct mq_waits_group *group, int64_t local)
{
    uint32_t node = rank_node(b, mq_group_global(group->group, local));

    return node != mq_nobody && mq_has_come(b->made, node, group)
           ? mq_nobody : node;
}

/* The first of the members below LOCAL that were given; one look at the group
 * does for all of them.
 */
static uint32_t lower_absentee(struct builder *b,
                               const struct mq_waits_group *group,
                               int64_t local)
{
    struct absentee *it = &b->absentee;
    struct mq_key key = key_of(group);
    int32_t process;

    if (it->key.a != key.a || it->key.b != key.b)
        *it = (struct absentee){ key, 0, mq_nobody };
    while (it->node == mq_nobody && it->upto < local
           && it->upto < (int64_t)group->group->size) {
        size_t many = mq_waits_members(b->made, group, (size_t)it->upto,
                                       &process);

        if (process != mq_no_process
            && !mq_has_come(b->made, (uint32_t)process, group))
            it->node = (uint32_t)process;
        else
            it->upto += (int64_t)many;
    }
    return it->upto < local ? it->node : (uint32_t)mq_nobody;
}

/* How many of those that have not come a rank needs. */
enum need_of {
    not_known,
    one_of_them,
    each_of_them,
    this_one
};

/* A collective operation that the process is in, or that it began and waits
 * for.
 */
struct deed {
    uint32_t communicator;      /* index in the process */
    uint32_t joined;            /* index in the process's plus 1; 0: none */
    enum mq_company company;
    bool has_data;              /* as far as that is known */
    int64_t root;               /* below 0: none, or not known */
    uint64_t entered;
    uint32_t number;            /* as in deeds of struct mq_waits; 0 for one
                                   that was begun: ENTERED tells all */
    bool only_if_known;         /* whom it needs */
};

/* Whom the process needs for sure; *NODE is a process if it is only that one.
 * The group of an inter-communicator is the remote one, of which the arguments
 * tell less.
 */
static enum need_of need_of_deed(struct builder *b, const struct deed *deed,
                                 const struct mq_waits_group *group,
                                 uint32_t *node)
{
    int64_t self = self_of(b)->communicators[deed->communicator].local_rank;
    bool is_intra = mq_group_global(group->group, self) == self_of(b)->rank;
    enum need_of each = is_intra && deed->has_data ? each_of_them
                                                   : one_of_them;
    bool knows_root = deed->root >= 0
                      && deed->root < (int64_t)group->group->size;
    bool is_root = is_intra && knows_root && deed->root == self;

    switch (deed->company) {
    case mq_company_all:
        return each_of_them;
    case mq_company_data:
        return each;
    case mq_company_some:
        return one_of_them;
    case mq_company_at_root:
        return is_root ? each : not_known;
    case mq_company_root_some:
        return is_root ? one_of_them : not_known;
    case mq_company_of_root:
        if (knows_root && !is_root)
            *node = absentee(b, group, deed->root);
        break;
    case mq_company_lower:
        if (each == each_of_them)
            *node = lower_absentee(b, group, self);
        break;
    case mq_company_beyond:
    case mq_company_unknown:
        break;
    }
    return *node != mq_nobody ? this_one : not_known;
}

/* Whether the process would have come to the end of a collective operation if
 * those who are in it were enough.
 */
static bool has_had_time(const struct builder *b, const struct deed *deed,
                           const struct mq_past *past)
{
    return past->call != NULL && deed->company != mq_company_beyond
           && was_counted(self_of(b))
           && !(b->is_at_file && strncmp(past->call, "MPI_File_", 9) == 0)
           && seconds_of_past(past) <= self_of(b)->looked_for;
}

/* Something of which nothing is known, of whom doubtful arguments name, else of
 * a member of the communicator that the call is on, or of anybody.
 */
static enum mq_result add_unknown(struct builder *b, struct mq_error *error)
{
    struct mq_operation_ref ref = { b->self, 0, 0, mq_need_call };
    uint32_t roll = b->made->rolls[b->self], node;
    struct mq_waits_group members = { 0 };
    struct mq_guess guess;

    b->made->freedom[b->self] |= mq_may_go_on | mq_needs_unknown;
    if (mq_guess_peer(self_of(b), &guess)
        && rank_node(b, guess.peer) != (uint32_t)mq_nobody)
        return add_need(b, &ref, rank_node(b, guess.peer), mq_need_guessed,
                        error);
    if (roll != MQ_NO_ROLL) {
        ref.communicator = roll;
        members.group = self_of(b)->communicators[roll].group;
    }
    if ((members.group == NULL ? anyone_node(b, error, &node)
                               : group_node(b, &members, error, &node))
        != mq_ok)
        return mq_failed;
    return add_need(b, &ref, node, mq_need_unknown, error);
}

/* Makes GROUP the process's own group of an inter-communicator, which is the
 * remote one of any that is beyond: where all of these have come and that was
 * not enough, one of its own side is missing.
 */
static bool find_local_group(const struct builder *b, const struct deed *deed,
                             struct mq_waits_group *group)
{
    const struct mq_process *beyond;
    int32_t process;

    if (!mq_is_inter(self_of(b),
                     &self_of(b)->communicators[deed->communicator]))
        return false;
    mq_waits_members(b->made, group, 0, &process);
    if (process == mq_no_process)
        return false;
    beyond = &b->job->processes[process];
    for (size_t i = 0; i < beyond->communicator_count; i++) {
        if (mq_match_number(b->mail->match, (size_t)process, i) != group->roll
            || beyond->communicators[i].group == NULL)
            continue;
        group->group = beyond->communicators[i].group;
        group->is_loose = true;
        return true;
    }
    return false;
}

/* A collective operation of which nothing is listed needs the members that are
 * elsewhere.  Where ranks count such operations, it is known who has come, and
 * the standard says whom it cannot do without.
 */
static enum mq_result add_deed(struct builder *b, const struct deed *deed,
                               struct mq_error *error)
{
    struct mq_operation_ref ref = { b->self, deed->communicator,
                                    deed->joined, mq_need_call };
    const struct mq_communicator *communicator =
        &self_of(b)->communicators[deed->communicator];
    struct mq_waits_group group = { 0 };
    enum need_of need = not_known;
    uint32_t node = mq_nobody;

    if (communicator->group == NULL)
        return mq_ok;
    group.group = communicator->group;
    group.roll = mq_match_number(b->mail->match, b->self, deed->communicator);
    group.deed = deed->number;
    if (deed->joined > 0)
        group.joined = &self_of(b)->joined[deed->joined - 1];
    if (communicator->agreed_id != 0) {
        const struct mq_past *past = mq_past_of(b->made, b->self, group.roll,
                                                deed->entered);

        group.entered = deed->entered;
        if (past != NULL)
            group.past = *past;
        need = need_of_deed(b, deed, &group, &node);
    }
    if (need == this_one)
        return add_need(b, &ref, node, 0, error);
    if (need == not_known && has_had_time(b, deed, &group.past))
        need = one_of_them;
    if (need == not_known && deed->only_if_known)
        return mq_ok;
    if (need == not_known && !stands_by_call(self_of(b)))
        b->made->freedom[b->self] |= mq_may_go_on;
    group.is_loose = need == one_of_them;
    if (group_node(b, &group, error, &node) != mq_ok)
        return mq_failed;
    if (!is_complete(&b->made->groups[node - b->job->process_count]))
        return add_need(b, &ref, node, 0, error);
    if (has_had_time(b, deed, &group.past)
        && find_local_group(b, deed, &group) && group_node(b, &group, error,
                                                           &node) != mq_ok)
        return mq_failed;
    if (!is_complete(&b->made->groups[node - b->job->process_count]))
        return add_need(b, &ref, node, 0, error);
    b->has_come |= deed->company != mq_company_beyond;
    return mq_ok;
}

static enum mq_result add_roll(struct builder *b, struct mq_error *error)
{
    const struct mq_process *process = self_of(b);
    struct deed deed = {
        .communicator = b->made->rolls[b->self],
        .company = mq_call_company(process->call),
        .has_data = mq_roll_has_data(process), .root = -1,
        .number = b->made->deeds[b->self]
    };

    if (deed.communicator == MQ_NO_ROLL)
        return mq_ok;
    mq_call_argument(process, "root", &deed.root);
    deed.entered = process->communicators[deed.communicator].entered;
    return add_deed(b, &deed, error);
}

static enum mq_result add_those_joined(struct builder *b, bool only_if_known,
                                       struct mq_error *error)
{
    const struct mq_process *process = self_of(b);
    enum mq_result result = mq_ok;

    for (uint32_t i = 0; result == mq_ok && i < process->joined_count; i++) {
        const struct mq_joined *it = &process->joined[i];
        struct deed deed = {
            .communicator = it->communicator, .joined = i + 1,
            .company = mq_call_joined_company(it->began), .has_data = true,
            .root = it->root, .entered = it->entered,
            .only_if_known = only_if_known
        };

        if (process->communicators[it->communicator].agreed_id != 0)
            result = add_deed(b, &deed, error);
    }
    return result;
}

/* The nonblocking ones that the call waits for, as for its other requests.  All
 * must come to their end: if one lacks somebody for sure, what is not known of
 * the others does not matter.
 */
static enum mq_result add_joined(struct builder *b, struct mq_error *error)
{
    size_t before = b->count;
    enum mq_result result = add_those_joined(b, true, error);

    return result == mq_ok && b->count == before
           ? add_those_joined(b, false, error) : result;
}

static enum mq_result add_guessed(struct builder *b, struct mq_error *error)
{
    enum mq_wait call = call_of(b);

    /* Where no queue is told, that a message is on none says nothing. */
    b->is_coming |= b->mail->doubts[b->self] & mq_message_moves
                    && !mq_is_call_alone(self_of(b));
    if (add_listed(b, call, error) != mq_ok)
        return mq_failed;
    if ((call != mq_wait_ssend || !has_needs(b))
        && add_unlisted(b, error) != mq_ok)
        return mq_failed;
    return call == mq_wait_collective && !has_needs(b) ? add_roll(b, error)
                                                       : mq_ok;
}

/* ---- States ----------------------------------------------------------- */

static bool is_no_call(const char *call)
{
    return strcmp(call, "-") == 0;
}

static enum mq_rank_state state_by_call(const struct builder *b)
{
    const struct mq_process *process = self_of(b);
    bool is_inside = mq_is_in_library(process);

    if (process->presence != mq_present)
        return process->presence == mq_gone ? mq_rank_gone : mq_rank_not_read;
    if (mq_signal_handler(process) != NULL)
        return mq_rank_runs;
    switch (call_of(b)) {
    case mq_wait_polls:
        return only_polls(process) ? mq_rank_waits : mq_rank_polls;
    case mq_wait_starting:
        return mq_rank_starting;
    case mq_wait_ending:
        return mq_is_called_back(process) ? mq_rank_runs : mq_rank_ending;
    case mq_wait_unknown:
        return has_needs(b) || is_inside ? mq_rank_waits : mq_rank_runs;
    case mq_wait_none:
        if (mq_is_exiting(process))
            return mq_rank_ending;
        if (only_polls(process) || leaves_it_to_thread(process))
            return mq_rank_waits;
        return is_inside && (was_counted(process)
                             || process->movement == mq_looks_equal
                             || is_no_call(process->call))
               ? mq_rank_waits : mq_rank_runs;
    default:
        return mq_rank_waits;
    }
}

static enum mq_rank_state state_of(const struct builder *b)
{
    enum mq_rank_state state = state_by_call(b);

    return self_of(b)->movement == mq_stopped && state <= mq_rank_waits
           ? mq_rank_stopped : state;
}

/* ---- Certainty -------------------------------------------------------- */

static bool has_errors(const struct mq_process *process)
{
    for (size_t i = 0; i < process->remark_count; i++)
        if (process->remarks[i].is_error)
            return true;
    return false;
}

static uint8_t look_whole(const struct mq_process *process)
{
    uint8_t known = 0;
    bool errors = process->presence == mq_not_read || has_errors(process);

    if (process->presence == mq_gone)
        return sends_known | unexpected_known | read_whole;
    if (is_known(process, mq_sends))
        known |= sends_known;
    if (is_known(process, mq_unexpected))
        known |= unexpected_known;
    if (!errors && known & unexpected_known && is_known(process, mq_receives))
        known |= read_whole;
    return known;
}

/* Whether a message of the process may be on its way to a receive that is on no
 * list any more, and nothing tells of it.
 */
static bool may_send_unseen(const struct builder *b, size_t p)
{
    enum mq_wait call = (enum mq_wait)b->mail->calls[p];
    bool listed = b->known[p] & sends_known;
    bool lies = b->mail->first_unlisted[p] < b->mail->first_unlisted[p + 1];

    if ((tells_requests(&b->job->processes[p])
         && sends_awaited(&b->job->processes[p]) == 0)
        || b->job->processes[p].presence == mq_gone)
        return false;
    if (call == mq_wait_unknown)
        return true;
    if (call == mq_wait_send)
        return !lies;
    return !listed && !(call == mq_wait_ssend && lies);
}

/* Whether a process that has not ended stays in a call in which it takes in
 * what comes.
 */
static bool stays_inside(const struct builder *b, size_t p)
{
    const struct mq_process *process = &b->job->processes[p];

    return process->presence == mq_gone
           || (process->presence == mq_present && was_counted(process)
               && mq_call_blocks((enum mq_wait)b->mail->calls[p])
               && !mq_is_called_back(process));
}

static bool all_at_sender(const struct builder *b)
{
    for (size_t i = b->mail->first_unlisted[b->self];
         i < b->mail->first_unlisted[b->self + 1]; i++)
        if (mq_message_data(mq_operation_ref_operation(b->job,
                                                       &b->mail->unlisted[i]))
            != mq_data_at_sender)
            return false;
    return true;
}

/* Whether a need is on a communicator that is not known for sure. */
static bool has_assumed_need(const struct builder *b)
{
    for (size_t i = b->made->first[b->self]; i < b->count; i++) {
        const struct mq_need *need = &b->made->needs[i];
        uint32_t number = mq_match_number(b->mail->match, need->ref.process,
                                          need->ref.communicator);

        if (b->mail->match->assumed[number]
            || b->mail->match->ambiguous[number])
            return true;
    }
    return false;
}

/* Whether the message of the blocking send that the process is in is one of
 * those that lie at their receivers: all ranks take in what comes, and so it is
 * nowhere else.
 */
static bool lies_there(const struct builder *b)
{
    for (size_t i = b->mail->first_unlisted[b->self];
         b->all_inside && i < b->mail->first_unlisted[b->self + 1]; i++)
        if (mq_is_its_send(self_of(b),
                           mq_operation_ref_operation(b->job,
                                                      &b->mail->unlisted[i])))
            return true;
    return false;
}

/* Whether the lists tell the only things that the call can wait for. */
static bool is_only_choice(const struct builder *b)
{
    bool listed = b->known[b->self] & sends_known;

    switch (call_of(b)) {
    case mq_wait_receive:
        return b->hidden == 0;
    case mq_wait_request:
    case mq_wait_collective:
        return b->hidden == 0 && listed && all_at_sender(b);
    case mq_wait_send:
    case mq_wait_ssend:
        return (listed || lies_there(b)) && all_at_sender(b);
    default:
        return false;
    }
}

/* Whether something that is missing keeps the process in a collective
 * operation, whatever else it may be doing there.
 */
static bool is_blocked(const struct builder *b)
{
    for (size_t i = b->made->first[b->self]; i < b->count; i++) {
        const struct mq_need *need = &b->made->needs[i];

        if (!(need->flags & mq_need_met)
            && mq_is_blocked(b->mail, b->self, &need->ref, need->node))
            return true;
    }
    return false;
}

/* Whether the blocking send of one of several threads, which no list has, may
 * be over, so that this one waits for no more than its turn in the library: its
 * message is not known to wait at the receiver.
 */
static bool may_wait_for_turn(const struct builder *b)
{
    if (!mq_has_waiting_thread(self_of(b)))
        return false;
    for (size_t i = b->made->first[b->self]; i < b->count; i++) {
        const struct mq_operation_ref *ref = &b->made->needs[i].ref;

        if (ref->queue == mq_sends
            && mq_operation_ref_operation(b->job, ref)->from_stack
            && !(*mq_facts(b->mail, ref) & mq_lies_at_sender))
            return true;
    }
    return false;
}

/* Whether each need is a message that is known to be of a send that the call
 * waits for: as long as that lies at its receiver, whatever else is on its way
 * does not end the call.
 */
static bool has_only_marked_needs(const struct builder *b)
{
    for (size_t i = b->made->first[b->self]; i < b->count; i++) {
        const struct mq_need *need = &b->made->needs[i];

        if (need->ref.queue != mq_unexpected
            || !mq_is_awaited_send(self_of(b),
                                   mq_operation_ref_operation(b->job,
                                                              &need->ref)))
            return false;
    }
    return tells_requests(self_of(b)) && has_needs(b);
}

/* Whether the process is still, and waits for its needs and nothing else. */
static bool is_proven(const struct builder *b)
{
    const struct mq_process *process = self_of(b);

    if (b->mail->lost || b->mail->doubts[b->self] & mq_knows_no_peer
        || only_polls(process)                  /* it may stop that */
        || process->strangers > 0 || has_assumed_need(b)
        || mq_is_called_back(process) || may_wait_for_turn(b))
        return false;
    if (b->all_given && !has_errors(process)
        && (stands_by_call(process) || is_blocked(b)
            || (mq_stands_still(b->job, process) && has_only_marked_needs(b))))
        return true;
    if (!b->complete)
        return false;
    if (!mq_stands_still(b->job, process))
        return false;
    return tells_requests(process) || is_only_choice(b);
}

/* ---- All ranks -------------------------------------------------------- */

/* Whether something is missing: all of what is needed, or a part if all is. */
static bool lacks_something(const struct builder *b)
{
    bool all = b->made->freedom[b->self] & mq_needs_all, lacks = false;

    for (size_t i = b->made->first[b->self]; i < b->count; i++) {
        bool met = b->made->needs[i].flags & mq_need_met;

        if (met && !all)
            return false;
        lacks |= !met;
    }
    return lacks;
}

/* Whether what is known of messages on the communicator of a need was counted,
 * and not seen in a queue: then it does not speak against what is proven.
 */
static bool is_counted_only(const struct builder *b,
                            const struct mq_need *need)
{
    return need->ref.queue != mq_need_call
           && mq_operation_ref_communicator(b->job, &need->ref)->agreed_id != 0;
}

/* Whether a need is the blocking send's that the process is in, whose message
 * lies at its peer for all that can be seen: had that been buffered it would
 * have returned, and so it needs the receive as much as if nothing lay there.
 */
static bool is_unbuffered_send(const struct builder *b,
                               const struct mq_need *need)
{
    return need->ref.queue == mq_sends
           && mq_operation_ref_operation(b->job, &need->ref)->from_stack
           && !(*mq_facts(b->mail, &need->ref) & mq_met);
}

/* What was thought to be there is not what the process waits for.  A request
 * that is on no list, as of a generalized one, may be that.
 */
static enum mq_result reopen(struct builder *b, struct mq_error *error)
{
    bool is_proof = stands_by_call(self_of(b));

    if (unlisted_awaited(self_of(b)) > 0)
        return add_unknown(b, error);
    for (size_t i = b->made->first[b->self]; i < b->count; i++) {
        struct mq_need *need = &b->made->needs[i];

        if (need->flags & mq_need_met)
            is_proof &= is_counted_only(b, need) || is_unbuffered_send(b, need);
        need->flags &= (uint8_t)~mq_need_met;
    }
    if (!is_proof)
        b->made->freedom[b->self] |= mq_may_go_on;
    return has_needs(b) ? mq_ok : add_unknown(b, error);
}

/* What becomes of a process that is in a call that blocks, by the table above.
 */
static enum mq_result conclude(struct builder *b, struct mq_error *error)
{
    const struct mq_process *process = self_of(b);
    uint8_t *freedom = &b->made->freedom[b->self];
    bool lacks = lacks_something(b), overdue = mq_is_overdue(process);

    if ((!lacks && call_of(b) == mq_wait_unseen)
        || process->call == NULL || is_no_call(process->call))
        *freedom |= mq_needs_unknown;   /* it may move in one call for ever */
    if (process->movement == mq_moved || mq_is_at_file(process)
        || (!lacks && call_of(b) == mq_wait_unseen)
        || (b->is_coming && !overdue)
        || (!lacks && !overdue && (b->has_come || has_needs(b)))) {
        *freedom |= mq_goes_on;
        return mq_ok;
    }
    if (b->is_coming || b->mail->doubts[b->self] & mq_knows_no_peer
        || !is_proven(b))
        *freedom |= mq_may_go_on;
    return lacks ? mq_ok : reopen(b, error);
}

static enum mq_result find_needs(struct builder *b, struct mq_error *error)
{
    const struct mq_process *process = self_of(b);

    if (process->presence != mq_present || process->movement == mq_stopped
        || mq_signal_handler(process) != NULL)
        return mq_ok;           /* what has come for it, it cannot take in */
    if (tells_requests(process))
        return add_awaited(b, error);
    return process->awaiting == mq_awaiting_nothing ? mq_ok
                                                    : add_guessed(b, error);
}

static enum mq_result look_at(struct builder *b, struct mq_error *error)
{
    const struct mq_process *process = self_of(b);
    uint8_t *freedom = &b->made->freedom[b->self];

    b->is_coming = b->has_come = false;
    if (find_needs(b, error) != mq_ok)
        return mq_failed;
    b->made->states[b->self] = (uint8_t)state_of(b);
    switch (b->made->states[b->self]) {
    case mq_rank_waits:
        return conclude(b, error);
    case mq_rank_ending:        /* whatever still comes in */
        *freedom = process->movement == mq_moved ? mq_goes_on
                   : mq_is_overdue(process) ? mq_needs_unknown : 0;
        return mq_ok;
    case mq_rank_gone:
        *freedom = process->movement == mq_moved ? mq_may_go_on : 0;
        return mq_ok;
    case mq_rank_polls:
        *freedom |= mq_goes_on | mq_needs_unknown;
        return mq_ok;
    case mq_rank_runs:
        *freedom |= mq_goes_on;
        if (may_get_nowhere(process))
            *freedom |= mq_needs_unknown;
        return mq_ok;
    default:
        *freedom |= mq_goes_on;
        return mq_ok;
    }
}

/* Numbers what those do who count their collective operations. */
static enum mq_result number_deeds(struct builder *b, struct mq_map *deeds,
                                   struct mq_error *error)
{
    for (size_t p = 0; p < b->job->process_count; p++) {
        const struct mq_process *process = &b->job->processes[p];
        uint32_t roll = b->made->rolls[p], *number;
        struct mq_key key = { (uintptr_t)mq_roll_operation(process), 0 };
        int64_t root = -1;

        if (roll == MQ_NO_ROLL || process->communicators[roll].agreed_id == 0)
            continue;
        mq_call_argument(process, "root", &root);
        key.b = (uint64_t)root << 40 ^ process->communicators[roll].entered;
        if (mq_map_add(deeds, key, (uint32_t)deeds->count + 1, error, &number)
            != mq_ok)
            return mq_failed;
        b->made->deeds[p] = *number;
    }
    return mq_ok;
}

static enum mq_result build(struct builder *b, struct mq_error *error)
{
    size_t processes = b->job->process_count;
    struct mq_map deeds = { 0 };
    enum mq_result result = number_deeds(b, &deeds, error);

    mq_map_deinit(&deeds);
    if (result != mq_ok)
        return result;

    for (size_t p = 0; p < processes; p++)
        if (mq_rank_counts(b->mail->ranks, p)) {
            b->known[p] = look_whole(&b->job->processes[p]);
            b->complete &= (b->known[p] & read_whole) != 0;
            b->hidden += may_send_unseen(b, p);
            b->all_inside &= stays_inside(b, p);
        }
    for (size_t p = 0; p < processes; p++) {
        b->made->first[p] = b->count;
        b->self = (uint32_t)p;
        if (mq_rank_counts(b->mail->ranks, p) && look_at(b, error) != mq_ok)
            return mq_failed;
    }
    b->made->first[processes] = b->count;
    return mq_ok;
}

enum mq_result mq_waits_create(const struct mq_mail *mail,
                               const uint32_t *rolls, bool complete,
                               struct mq_error *error, struct mq_waits *waits)
{
    size_t processes = mail->job->process_count;
    struct mq_waits made = { 0 };
    struct builder b = { 0 };
    enum mq_result result;

    made.mail = mail;
    made.rolls = rolls;
    b.mail = mail;
    b.job = mail->job;
    b.made = &made;
    b.all_given = b.complete = b.all_inside = complete;
    for (size_t i = 0; i < b.job->process_count && !b.is_at_file; i++)
        b.is_at_file = mq_is_at_file(&b.job->processes[i]);
    b.known = calloc(processes + 1, 1);
    made.first = calloc(processes + 1, sizeof made.first[0]);
    made.states = calloc(processes + 1, 1);
    made.freedom = calloc(processes + 1, 1);
    made.deeds = calloc(processes + 1, sizeof made.deeds[0]);
    if (b.known == NULL || made.first == NULL || made.states == NULL
        || made.freedom == NULL || made.deeds == NULL)
        result = mq_fail_memory(error, "building the wait-for graph");
    else
        result = build(&b, error);
    free(b.known);
    mq_map_deinit(&b.groups);
    if (result == mq_ok)
        *waits = made;
    else
        mq_waits_destroy(&made);
    return result;
}
