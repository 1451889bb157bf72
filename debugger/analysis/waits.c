#include "analysis/waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

void mq_waits_destroy(struct mq_waits *waits)
{
    free(waits->first);
    free(waits->waits);
    free(waits->freedom);
    free((void *)waits->groups);
    memset(waits, 0, sizeof *waits);
}

struct builder {
    const struct mq_mail *mail;
    const struct mq_job *job;
    struct mq_waits *made;
    bool everyone_waits;        /* no rank is missing or outside a call that
                                   takes in messages */
    struct mq_map groups;       /* by address: index */
    size_t group_room;
    size_t count, room;         /* of waits */
    uint32_t self;              /* the process whose waits are made */
    bool only_internal;         /* of what it lists */
};

/* ---- Nodes ------------------------------------------------------------ */

static enum mq_result group_node(struct builder *b,
                                 const struct mq_group *group,
                                 struct mq_error *error, uint32_t *node)
{
    struct mq_waits *made = b->made;
    struct mq_key key = { (uintptr_t)group, 0 };
    uint32_t *index;

    if (mq_map_add(&b->groups, key, (uint32_t)made->group_count, error, &index)
        != mq_ok)
        return mq_failed;
    *node = (uint32_t)b->job->process_count + *index;
    if (*index < made->group_count)
        return mq_ok;
    if (made->group_count == b->group_room) {
        size_t room = 2 * b->group_room + 16;
        const struct mq_group **larger =
            realloc((void *)made->groups, room * sizeof *larger);

        if (larger == NULL)
            return mq_fail_memory(error, "analysing receives from any source");
        made->groups = larger;
        b->group_room = room;
    }
    made->groups[made->group_count++] = group;
    return mq_ok;
}

/* The node that the operation at PLACE, of the process itself, needs. */
static enum mq_result peer_node(struct builder *b,
                                const struct mq_operation_ref *place,
                                struct mq_error *error, uint32_t *node)
{
    const struct mq_operation *op = mq_operation_ref_operation(b->job, place);
    const struct mq_group *group = mq_operation_ref_communicator(b->job, place)->group;
    int32_t process;

    if (place->queue == mq_receives && op->desired_local < 0) {
        if (group != NULL)
            return group_node(b, group, error, node);
        *node = mq_nobody;
        return mq_ok;
    }
    process = mq_rank_process(b->mail->ranks, op->desired_global);
    *node = process == mq_no_process ? (uint32_t)mq_nobody : (uint32_t)process;
    return mq_ok;
}

static enum mq_result add_wait(struct builder *b,
                               const struct mq_operation_ref *place,
                               uint32_t node, bool unlikely,
                               struct mq_error *error)
{
    struct mq_wait_for wait = { *place, node, unlikely };

    if (b->count == b->room) {
        size_t room = b->room + b->room / 2 + 64;
        struct mq_wait_for *larger = realloc(b->made->waits,
                                             room * sizeof *larger);

        if (larger == NULL)
            return mq_fail_memory(error, "building the wait-for graph");
        b->made->waits = larger;
        b->room = room;
    }
    b->made->waits[b->count++] = wait;
    return mq_ok;
}

/* ---- One rank's operations -------------------------------------------- */

/* Whether a pending operation comes after PLACE in the same queue. */
static bool has_newer(const struct builder *b, const struct mq_operation_ref *place)
{
    const struct mq_queue *queue =
        &mq_operation_ref_communicator(b->job, place)->queues[place->queue];
    const struct mq_operation *operations =
        mq_operation_ref_process(b->job, place)->operations;

    for (uint32_t i = place->operation + 1; i < queue->first + queue->count;
         i++)
        if (operations[i].status == mq_pending)
            return true;
    return false;
}

/* One pending operation is one more way to go on. */
static enum mq_result add_pending(struct builder *b,
                                  const struct mq_operation_ref *place,
                                  struct mq_error *error)
{
    uint8_t *freedom = &b->made->freedom[b->self];
    uint8_t mark = *mq_mark(b->mail, place);
    bool unlikely = b->mail->waits[b->self] == mq_wait_receive
                 && has_newer(b, place);
    uint32_t node;

    if (peer_node(b, place, error, &node) != mq_ok)
        return mq_failed;
    if (mark & mq_met || node == mq_nobody)
        *freedom |= unlikely ? mq_may_go_on : mq_goes_on;
    if (mark & mq_perhaps_met)
        *freedom |= mq_may_go_on;
    return add_wait(b, place, node, unlikely, error);
}

static bool is_internal_place(const struct builder *b,
                              const struct mq_operation_ref *place)
{
    return mq_match_is_internal(b->mail->match, place->process,
                                place->communicator);
}

/* Whether an operation of a queue can be what the rank is held by: completed
 * ones hold nobody, and those that were begun before a collective operation
 * are not what that waits for.
 */
static bool can_hold(const struct builder *b, const struct mq_operation_ref *place)
{
    const struct mq_operation *op = mq_operation_ref_operation(b->job, place);

    if (place->queue == mq_unexpected || op->status == mq_complete)
        return false;
    if (place->queue == mq_sends
        && b->mail->waits[b->self] == mq_wait_receive)
        return false;
    return !b->only_internal || is_internal_place(b, place);
}

static enum mq_result add_listed(struct builder *b, struct mq_error *error)
{
    struct mq_operation_ref place = mq_operation_ref_before(b->self);

    while (mq_operation_ref_next(b->job, &place)) {
        if (!can_hold(b, &place))
            continue;
        if (mq_operation_ref_operation(b->job, &place)->status == mq_matched)
            b->made->freedom[b->self] |= mq_goes_on;
        else if (add_pending(b, &place, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

static bool counts_as_send(const struct builder *b,
                           const struct mq_operation_ref *message)
{
    return !b->only_internal || is_internal_place(b, message);
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

    for (size_t i = begin; i < end; i++) {
        const struct mq_operation_ref *message = &mail->unlisted[i];
        int64_t length = mq_operation_ref_operation(b->job, message)->desired_length;

        if (counts_as_send(b, message) && length > longest)
            longest = length;
    }
    for (size_t i = begin; i < end; i++) {
        const struct mq_operation_ref *message = &mail->unlisted[i];
        int64_t length = mq_operation_ref_operation(b->job, message)->desired_length;

        if (counts_as_send(b, message)
            && add_wait(b, message, message->process, length < longest, error)
               != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* Whether the rank lists something pending that is the library's own, or such
 * a message of its own lies somewhere: then it waits for that and nothing else.
 */
static bool lists_internal(const struct builder *b)
{
    struct mq_operation_ref place = mq_operation_ref_before(b->self);

    while (mq_operation_ref_next(b->job, &place))
        if (place.queue != mq_unexpected
            && mq_operation_ref_operation(b->job, &place)->status == mq_pending
            && is_internal_place(b, &place))
            return true;
    return false;
}

static bool has_internal_message(const struct builder *b)
{
    for (size_t i = b->mail->first_unlisted[b->self];
         i < b->mail->first_unlisted[b->self + 1]; i++)
        if (is_internal_place(b, &b->mail->unlisted[i]))
            return true;
    return false;
}

static enum mq_result add_waits(struct builder *b, struct mq_error *error)
{
    enum mq_wait wait = b->mail->waits[b->self];

    b->only_internal = wait == mq_wait_collective
                       && (lists_internal(b) || has_internal_message(b));
    if (wait == mq_wait_none || wait == mq_wait_unseen)
        return mq_ok;
    if (wait != mq_wait_send && add_listed(b, error) != mq_ok)
        return mq_failed;
    if (wait == mq_wait_send || wait == mq_wait_collective)
        return add_unlisted(b, error);
    return mq_ok;
}

/* ---- Certainty -------------------------------------------------------- */

/* Whether the DLL tells of this queue of all communicators. */
static bool is_known(const struct mq_process *process,
                     enum mq_queue_class queue)
{
    for (size_t i = 0; i < process->communicator_count; i++)
        if (process->communicators[i].queues[queue].state != mq_ok)
            return false;
    return true;
}

static bool is_whole(const struct mq_process *process)
{
    for (size_t i = 0; i < process->remark_count; i++)
        if (process->remarks[i].is_error)
            return false;
    return is_known(process, mq_receives);
}

/* Whether what the rank is blocked in is among its waits, whatever the lists
 * do not show.
 */
static bool tells_all(const struct builder *b)
{
    const struct mq_process *process = &b->job->processes[b->self];
    bool sends_known = is_known(process, mq_sends);

    if (!is_whole(process) || b->mail->doubts[b->self] != 0 || b->mail->lost)
        return false;
    switch ((enum mq_wait)b->mail->waits[b->self]) {
    case mq_wait_receive:
        return true;
    case mq_wait_request:
        return sends_known;
    case mq_wait_send:
        return b->everyone_waits;
    case mq_wait_collective:
        return b->everyone_waits || (sends_known && lists_internal(b));
    default:
        return false;
    }
}

static enum mq_result build(struct builder *b, struct mq_error *error)
{
    for (size_t p = 0; p < b->job->process_count; p++) {
        b->made->first[p] = b->count;
        b->self = (uint32_t)p;
        if (mq_rank_counts(b->mail->ranks, p) && add_waits(b, error) != mq_ok)
            return mq_failed;
        if (b->mail->doubts[p] & mq_knows_no_peer
            || b->count == b->made->first[p])
            b->made->freedom[p] |= mq_goes_on;
        if (!(b->made->freedom[p] & mq_goes_on) && !tells_all(b))
            b->made->freedom[p] |= mq_may_go_on;
    }
    b->made->first[b->job->process_count] = b->count;
    return mq_ok;
}

static bool does_everyone_wait(const struct mq_mail *mail)
{
    for (size_t p = 0; p < mail->job->process_count; p++)
        if (!mq_rank_counts(mail->ranks, p)
            || mail->waits[p] == mq_wait_none
            || mail->waits[p] == mq_wait_unknown)
            return false;
    return true;
}

enum mq_result mq_waits_create(const struct mq_mail *mail,
                               bool ranks_are_missing, struct mq_error *error,
                               struct mq_waits *waits)
{
    size_t processes = mail->job->process_count;
    struct mq_waits made = { mail, NULL, NULL, NULL, 0, NULL };
    struct builder b;
    enum mq_result result;

    memset(&b, 0, sizeof b);
    b.mail = mail;
    b.job = mail->job;
    b.made = &made;
    b.everyone_waits = !ranks_are_missing && does_everyone_wait(mail);
    made.first = malloc((processes + 1) * sizeof made.first[0]);
    made.freedom = calloc(processes + 1, 1);
    if (made.first == NULL || made.freedom == NULL)
        result = mq_fail_memory(error, "building the wait-for graph");
    else
        result = build(&b, error);
    mq_map_deinit(&b.groups);
    if (result == mq_ok)
        *waits = made;
    else
        mq_waits_destroy(&made);
    return result;
}
