/* awaited.c - operations that a call waits for, from its arguments
 *
 * From the arguments of a call to the operations that it waits for.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/awaited.h"

#include <string.h>

#include "model/process_builder.h"
#include "mpi/call.h"

/* The arguments that say which send or receive a call is; all null: the call
 * has none.
 */
struct half {
    const char *peer, *tag, *buffer, *count, *datatype;
};

/* Meaning of a send or receive of a call that is on no queue. */
enum unlisted {
    unlisted_is_over,           /* it is complete or being moved */
    unlisted_is_unknown,        /* the same, if the queues list such */
    unlisted_is_pending         /* no library lists it */
};

static const struct call {
    struct half send, receive;
    enum unlisted unlisted;
} calls[mq_call_forms] = {
    [mq_form_send] = {
        { "dest", "tag", "buf", "count", "datatype" }, { 0 },
        unlisted_is_pending
    },
    [mq_form_ssend] = {
        { "dest", "tag", "buf", "count", "datatype" }, { 0 },
        unlisted_is_unknown
    },
    [mq_form_receive] = {
        { 0 }, { "source", "tag", "buf", "count", "datatype" },
        unlisted_is_over
    },
    [mq_form_probe] = {
        { 0 }, { "source", "tag", NULL, NULL, NULL },
        unlisted_is_pending
    },
    [mq_form_exchange] = {
        { "dest", "sendtag", "sendbuf", "sendcount", "sendtype" },
        { "source", "recvtag", "recvbuf", "recvcount", "recvtype" },
        unlisted_is_over
    },
    [mq_form_replace] = {
        { "dest", "sendtag", NULL, "count", "datatype" },
        { "source", "recvtag", NULL, "count", "datatype" },
        unlisted_is_over
    }
};

struct search {
    struct mq_process *process;
    const struct mq_thread *thread;
    struct mq_resolver *resolver;
    struct mq_error *error;
};

/* ---- Arguments ----------------------------------------------------------- */

static enum mq_result find_communicator(const struct search *s, size_t *index)
{
    int64_t handle;

    if (s->resolver == NULL || !mq_thread_value(s->thread, "comm", &handle))
        return mq_absent;
    return s->resolver->communicator(s->resolver, s->process,
                                     (uint64_t)handle, s->error, index);
}

/* The bytes of COUNT elements of a datatype; -1 if not known. */
static enum mq_result find_length(const struct search *s,
                                  const struct half *half, int64_t *length)
{
    int64_t count, handle;
    uint64_t size;
    enum mq_result result;

    *length = -1;
    if (s->resolver == NULL
        || !mq_thread_value(s->thread, half->count, &count)
        || !mq_thread_value(s->thread, half->datatype, &handle))
        return mq_ok;
    result = s->resolver->datatype_size(s->resolver, (uint64_t)handle,
                                        s->error, &size);
    if (result == mq_ok && count >= 0
        && (size == 0 || (uint64_t)count <= (uint64_t)INT64_MAX / size))
        *length = (int64_t)((uint64_t)count * size);
    return result == mq_failed ? mq_failed : mq_ok;
}

/* ---- Listed operations --------------------------------------------------- */

/* The operation to be found.  Wildcards are negative in every MPI library, and
 * nobody waits for MPI_PROC_NULL.
 */
struct selector {
    enum mq_queue_class class;
    int64_t peer, tag, buffer;
    bool knows_buffer;
};

static bool selects(const struct selector *selector,
                    const struct mq_operation *op)
{
    bool is_any = mq_operation_is_any(selector->class, op);

    return (selector->peer < 0 ? is_any
            : !is_any && op->desired_local == selector->peer)
           && (selector->tag < 0 ? op->tag_wild
               : !op->tag_wild && op->desired_tag == selector->tag);
}

/* The result of a search in queues. */
struct found {
    size_t count, exact_count;  /* with these ranks and tags; in that buffer */
    uint32_t last, last_exact;
    bool is_whole;              /* nothing that was looked at may lack any */
};

static void look_at_queue(const struct mq_process *process,
                          const struct mq_queue *queue,
                          const struct selector *selector, struct found *found)
{
    /* The asking process has a queue. */
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    found->is_whole &= queue->state == mq_ok;
    for (uint32_t i = queue->first; i < queue->first + queue->count; i++) {
        const struct mq_operation *op = &process->operations[i];

        if (!selects(selector, op))
            continue;
        found->last = i;
        found->count++;
        if (selector->knows_buffer
            && op->buffer == (uint64_t)selector->buffer) {
            found->last_exact = i;
            found->exact_count++;
        }
    }
}

/* The operation that SELECTOR selects, MQ_NOT_LISTED, or mq_absent if it is not
 * known.  COMMUNICATOR is null if it is not known.  In one communicator the
 * older of two that select the same gets the first message, so that a call that
 * waits for either waits for the last.
 */
static enum mq_result find_listed(const struct mq_process *process,
                                  const struct mq_communicator *communicator,
                                  const struct selector *selector,
                                  uint32_t *operation)
{
    struct found found = { .is_whole = true };
    size_t i = 0, end = process->communicator_count;

    if (communicator != NULL) {
        i = (size_t)(communicator - process->communicators);
        end = i + 1;
    }
    for (; i < end; i++)
        look_at_queue(process,
                      &process->communicators[i].queues[selector->class],
                      selector, &found);
    if (found.exact_count == 1
        || (found.exact_count > 0 && communicator != NULL))
        *operation = found.last_exact;
    else if (found.count > 0 && communicator != NULL)
        *operation = found.last;
    else if (found.count == 0 && found.is_whole)
        *operation = MQ_NOT_LISTED;
    else
        return mq_absent;
    return mq_ok;
}

/* ---- Operations from the stack ------------------------------------------- */

static enum mq_result make_operation(const struct search *s,
                                     struct mq_communicator *communicator,
                                     const struct half *half,
                                     const struct selector *selector,
                                     uint32_t *place)
{
    struct mq_operation op;

    memset(&op, 0, sizeof op);
    op.from_stack = true;
    op.status = mq_pending;
    op.desired_local = selector->peer < 0 ? -1 : selector->peer;
    op.desired_global = communicator->group == NULL ? -1
                        : mq_group_global(communicator->group,
                                          op.desired_local);
    op.desired_tag = selector->tag;
    op.tag_wild = selector->tag < 0;
    op.actual_local = op.desired_local;
    op.actual_global = op.desired_global;
    op.actual_tag = op.desired_tag;
    op.buffer = selector->knows_buffer ? (uint64_t)selector->buffer : 0;
    if (find_length(s, half, &op.desired_length) != mq_ok)
        return mq_failed;
    op.actual_length = op.desired_length;
    return mq_process_insert_operation(
        s->process, &communicator->queues[selector->class], &op, s->error,
        place);
}

/* ---- Calls --------------------------------------------------------------- */

/* The communicator of the call, or null if it is not known. */
static enum mq_result take_communicator(const struct search *s,
                                        struct mq_communicator **communicator)
{
    size_t index = 0;
    enum mq_result result = find_communicator(s, &index);

    *communicator = result == mq_ok && index < s->process->communicator_count
                    ? &s->process->communicators[index] : NULL;
    return result == mq_failed ? mq_failed : mq_ok;
}

static bool is_both(const struct call *call)
{
    return call->send.peer != NULL && call->receive.peer != NULL;
}

/* Whether no queue lists anything that CALL can be on COMMUNICATOR, null if
 * that is not known.
 */
static bool has_no_queue(const struct call *call,
                         const struct mq_communicator *communicator,
                         enum mq_queue_class class)
{
    enum mq_queue_class other = class == mq_sends ? mq_receives : mq_sends;

    return communicator != NULL
           && communicator->queues[class].state == mq_absent
           && (!is_both(call)
               || communicator->queues[other].state == mq_absent);
}

/* Whether the operation must be taken from the stack, after the queues were
 * asked and LISTED was their answer.
 */
static bool is_of_stack(const struct call *call, bool no_queue,
                        enum mq_result listed, uint32_t operation)
{
    return (listed == mq_absent
            && (call->unlisted != unlisted_is_over || no_queue))
           || (operation == MQ_NOT_LISTED
               && call->unlisted == unlisted_is_pending);
}

/* Whether the thread is in the send that Open MPI's MPI_Sendrecv begins with
 * once it has posted the receive: that alone blocks it, and it is not known
 * whether the receive is over.
 */
static bool is_sending(const struct mq_thread *thread)
{
    static const char send[] = "_send", layer[] = "mca_pml_";

    for (size_t i = 0; i + 1 < thread->frame_count; i++) {
        const char *inner = thread->frames[i].function;
        const char *outer = thread->frames[i + 1].function;

        if (inner != NULL && outer != NULL && thread->frames[i].in_mpi
            && strncmp(inner, layer, sizeof layer - 1) == 0
            && strcmp(strrchr(inner, '_'), send) == 0
            && strncmp(outer, "PMPI_Sendrecv", sizeof "PMPI_Sendrecv" - 1)
               == 0)
            return true;
    }
    return false;
}

/* Whether HALF is the send of a call that is a receive, too, and so short that
 * every library hands it over at once: then it is over.
 */
static enum mq_result is_short(const struct search *s, const struct call *call,
                               const struct half *half, bool *over)
{
    const int64_t handed_over_at_once = 1024;
    int64_t length = -1;

    if (half == &call->send && is_both(call)
        && find_length(s, half, &length) != mq_ok)
        return mq_failed;
    *over = length >= 0 && length <= handed_over_at_once
            && !is_sending(s->thread);
    return mq_ok;
}

/* Whether a receive that must be somewhere is on no list of a DLL whose lists
 * may lack some.
 */
static bool is_proof_of_lack(const struct search *s, enum mq_result listed,
                             uint32_t operation,
                             const struct mq_communicator *communicator,
                             enum mq_queue_class class)
{
    return s->resolver != NULL && s->resolver->may_lack
           && communicator != NULL && class == mq_receives
           && listed == mq_ok && operation == MQ_NOT_LISTED;
}

/* The place of the one receive that is posted into BUFFER, and the
 * communicator that it is on; or null: MPI lets no two have the same.
 */
static struct mq_communicator *find_buffer(const struct mq_process *process,
                                           uint64_t buffer, uint32_t *place)
{
    struct mq_communicator *found = NULL;

    for (size_t i = 0; i < process->communicator_count; i++) {
        struct mq_communicator *communicator = &process->communicators[i];
        const struct mq_queue *queue = &communicator->queues[mq_receives];

        for (uint32_t j = queue->first; j < queue->first + queue->count; j++) {
            const struct mq_operation *op = &process->operations[j];

            if (op->from_stack || op->status != mq_pending
                || op->buffer != buffer || op->desired_length <= 0)
                continue;
            if (found != NULL)
                return NULL;
            found = communicator;
            *place = j;
        }
    }
    return found;
}

/* A receive with a doubtful peer or tag is the one that is posted into its
 * buffer, unless what is known of it says otherwise.
 */
static enum mq_result await_by_buffer(const struct search *s,
                                      const struct half *half,
                                      enum mq_queue_class class)
{
    struct mq_communicator *named = NULL, *found;
    struct selector selector = { .class = class };
    int64_t buffer;
    uint32_t place = 0;

    if (class != mq_receives
        || !mq_thread_value(s->thread, half->buffer, &buffer)
        || buffer == 0)
        return mq_absent;
    found = find_buffer(s->process, (uint64_t)buffer, &place);
    if (take_communicator(s, &named) != mq_ok)
        return mq_failed;
    if (found == NULL || (named != NULL && named != found))
        return mq_absent;
    selector.peer = mq_operation_is_any(class, &s->process->operations[place])
                    ? -1 : s->process->operations[place].desired_local;
    selector.tag = s->process->operations[place].tag_wild
                   ? -1 : s->process->operations[place].desired_tag;
    mq_thread_value(s->thread, half->peer, &selector.peer);
    mq_thread_value(s->thread, half->tag, &selector.tag);
    return selects(&selector, &s->process->operations[place])
           ? mq_process_add_awaited(s->process, place, s->error) : mq_absent;
}

/* Adds the send or receive that HALF of a call is: mq_absent if that is not
 * known.
 */
static enum mq_result await_half(const struct search *s,
                                 const struct call *call,
                                 const struct half *half,
                                 enum mq_queue_class class)
{
    struct mq_communicator *communicator = NULL;
    struct selector selector = { .class = class };
    uint32_t operation = MQ_NOT_LISTED;
    enum mq_result result;
    bool no_queue, over = false;

    if (half->peer == NULL)
        return mq_ok;
    if (!mq_thread_value(s->thread, half->peer, &selector.peer))
        return await_by_buffer(s, half, class);
    if (s->resolver != NULL && selector.peer < 0
        && selector.peer == s->resolver->proc_null)
        return mq_ok;
    if (!mq_thread_value(s->thread, half->tag, &selector.tag))
        return await_by_buffer(s, half, class);
    selector.knows_buffer = mq_thread_value(s->thread, half->buffer,
                                            &selector.buffer);
    if (take_communicator(s, &communicator) != mq_ok)
        return mq_failed;
    result = half->count == NULL ? mq_absent    /* a probe is on no queue */
             : find_listed(s->process, communicator, &selector, &operation);
    if (is_proof_of_lack(s, result, operation, communicator, class)) {
        for (int queue = 0; queue < mq_queue_classes; queue++)
            communicator->queues[queue].state = mq_absent;
        result = mq_absent;
    }
    no_queue = has_no_queue(call, communicator, class);
    if (no_queue && is_short(s, call, half, &over) != mq_ok)
        return mq_failed;
    if (over)
        return mq_ok;
    if (is_of_stack(call, no_queue, result, operation))
        result = communicator == NULL ? mq_absent
                 : make_operation(s, communicator, half, &selector,
                                  &operation);
    else if (result == mq_absent && class == mq_sends)
        result = mq_ok;
    if (result == mq_ok && no_queue && half == &call->receive && is_both(call)
        && is_sending(s->thread))
        return mq_ok;
    return result != mq_ok ? result
           : mq_process_add_awaited(s->process, operation, s->error);
}

/* Whether one of what is awaited would do: that is asked for, or it is not
 * known which of two is over.
 */
static bool would_any_do(const struct mq_process *process,
                         enum mq_call_form form)
{
    if (!is_both(&calls[form]))
        return form == mq_form_any;
    for (size_t i = 0; i < process->awaited_count; i++)
        if (process->awaited[i] == MQ_NOT_LISTED
            || !process->operations[process->awaited[i]].from_stack)
            return false;
    return true;
}

/* Notes that a request of the first thread's call is awaited if it has a mark:
 * mq_absent if it has none.
 */
static enum mq_result await_mark(const struct search *s, uint64_t request)
{
    struct mq_process *process = s->process;

    for (size_t i = 0; s->thread == process->threads && i < process->mark_count;
         i++)
        if (process->marks[i].request == request) {
            process->marks[i].is_awaited = true;
            return mq_ok;
        }
    return mq_absent;
}

/* A call that waits for all waits for each that is known, whatever the others
 * are.
 */
static enum mq_result await_requests(const struct search *s,
                                     enum mq_call_form form)
{
    int64_t count = 1;
    size_t given = 0, unknown = 0;
    uint32_t operation;
    bool may_pass_over;

    if (s->resolver == NULL)
        return mq_absent;
    may_pass_over = s->resolver->may_lack && form == mq_form_all;
    if (!mq_thread_value(s->thread, "count", &count))
        mq_thread_value(s->thread, "incount", &count);
    for (size_t i = 0; i < s->thread->argument_count; i++) {
        const struct mq_argument *argument = &s->thread->arguments[i];
        enum mq_result result;

        if (strncmp(argument->name, "request", 7) != 0)
            continue;
        if (argument->doubtful)
            return mq_absent;
        result = s->resolver->request(s->resolver, s->process,
                                      (uint64_t)argument->value, s->error,
                                      &operation);
        if (result == mq_ok)
            result = mq_process_add_awaited(s->process, operation,
                                            s->error);
        else if (result == mq_absent)
            result = await_mark(s, (uint64_t)argument->value);
        given++;
        if (result == mq_absent && may_pass_over)
            unknown++;
        else if (result != mq_ok)
            return result;
    }
    return count >= 0 && given == (size_t)count
           && (given > unknown || given == 0) ? mq_ok : mq_absent;
}

static enum mq_result await_call(const struct search *s,
                                 enum mq_call_form form)
{
    const struct call *call = &calls[form];
    enum mq_result result = await_half(s, call, &call->send, mq_sends);

    if (result == mq_ok)
        result = await_half(s, call, &call->receive, mq_receives);
    if (result == mq_ok && (form == mq_form_all || form == mq_form_any))
        result = await_requests(s, form);
    return result;
}

bool mq_awaited_is_of(const char *call)
{
    return mq_call_form(call) != mq_form_none;
}

enum mq_result mq_awaited_find(struct mq_process *process,
                               struct mq_resolver *resolver,
                               struct mq_error *error)
{
    struct search s = { process, process->threads, resolver, error };
    enum mq_call_form form = mq_call_form(process->call);
    enum mq_result result;

    if (process->call != NULL && strcmp(process->call, "-") == 0)
        process->awaiting = mq_awaiting_nothing;
    if (process->thread_count == 0 || form == mq_form_none)
        return mq_ok;
    result = await_call(&s, form);
    if (result == mq_ok)
        process->awaiting = would_any_do(process, form) ? mq_awaiting_any
                                                        : mq_awaiting_all;
    else
        process->awaited_count = process->mark_count = 0;
    return result == mq_failed ? mq_failed : mq_ok;
}

static bool is_send(const struct mq_process *process, uint32_t place)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct mq_queue *sends =
            &process->communicators[i].queues[mq_sends];

        if (place >= sends->first && place - sends->first < sends->count)
            return true;
    }
    return false;
}

/* Whether it is pending for certain.  An operation on no list may be over, and
 * wait for no more than its turn in the library; for a send the receiver shows
 * that.
 */
static bool is_pending(const struct mq_process *process, uint32_t place)
{
    return place != MQ_NOT_LISTED
           && (!process->operations[place].from_stack
               || is_send(process, place));
}

/* The representative of all that is awaited from the place FIRST up to END,
 * where each is needed: the last, if all that is pending has one peer, as each
 * of it comes if that does.  MQ_NOT_LISTED: nothing does.
 */
static uint32_t last_of(const struct mq_process *process, size_t first,
                        size_t end)
{
    const struct mq_operation *all = process->operations;
    uint32_t last = MQ_NOT_LISTED;

    for (size_t i = first; i < end; i++) {
        const uint32_t place = process->awaited[i];

        if (place == MQ_NOT_LISTED && end - first > 1)
            continue;
        if (!is_pending(process, place)
            || (last != MQ_NOT_LISTED
                && (all[place].desired_global < 0
                    || all[place].desired_global
                       != all[last].desired_global)))
            return MQ_NOT_LISTED;
        last = place;
    }
    return last;
}

/* Makes of what is awaited from the place FIRST up to END what is enough if one
 * of it comes; false, and nothing is changed, if that is not known.
 */
static bool make_choice(struct mq_process *process, size_t first, size_t end,
                        bool any_does)
{
    uint32_t *awaited = process->awaited, last;

    if (any_does) {
        for (size_t i = first; i < end; i++)
            if (!is_pending(process, awaited[i]))
                return false;
        return first < end;
    }
    last = last_of(process, first, end);
    if (last == MQ_NOT_LISTED)
        return false;
    awaited[first] = last;
    memmove(&awaited[first + 1], &awaited[end],
            (process->awaited_count - end) * sizeof *awaited);
    process->awaited_count -= end - first - 1;
    return true;
}

/* Whether something is awaited that is so in front of the place FIRST, too. */
static bool is_twice(const struct mq_process *process, size_t first)
{
    for (size_t i = first; i < process->awaited_count; i++)
        for (size_t j = 0; j < first; j++)
            if (process->awaited[i] == process->awaited[j])
                return true;
    return false;
}

enum mq_result mq_awaited_add(struct mq_process *process,
                              const struct mq_thread *thread,
                              struct mq_resolver *resolver,
                              struct mq_error *error)
{
    struct search s = { process, thread, resolver, error };
    enum mq_call_form form = mq_call_form(thread->call);
    const size_t before = process->awaited_count;
    enum mq_result result = mq_absent;

    if (form != mq_form_none && before > 0)
        result = await_call(&s, form);
    if (result == mq_ok && !is_twice(process, before)
        && make_choice(process, before, process->awaited_count,
                       form == mq_form_any)
        && make_choice(process, 0, before,
                       process->awaiting == mq_awaiting_any)) {
        process->awaiting = mq_awaiting_any;
        return mq_ok;
    }
    process->awaited_count = before;
    return result == mq_failed ? mq_failed : mq_absent;
}
