/* near_miss.c - receives and messages that nearly match */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/findings.h"

#include <stdlib.h>

#include "analysis/stuck.h"
#include "base/array.h"
#include "base/map.h"

const char *const mq_difference_names[mq_differences] = {
    "tag", "source", "communicator", "size"
};

/* Operations of one rank by the rank that they come from. */
struct shelf {
    size_t count, room;
    struct item {
        struct mq_operation_ref ref;
        int64_t source;
        uint32_t next;          /* 1 + index of the next of the source, or 0 */
    } *items;
    struct mq_map first;        /* by source: 1 + index of its first item */
};

struct finder {
    const struct mq_waits *waits;
    const struct mq_prospects *prospects;
    const struct mq_match_table *table;
    const struct mq_job *job;
    struct mq_near_miss *misses;
    size_t count, room;
    size_t begin;               /* of the misses of the operation at hand */
    size_t compared;
    bool matched;               /* it matches something, so that it has none */
    struct shelf messages;      /* that have arrived at the rank in question, or
                                   come */
    struct shelf receives;      /* that it has posted */
    struct mq_error *error;
};

enum {
    any_source = -1
};

/* ---- Shelves ---------------------------------------------------------- */

static enum mq_result put(struct shelf *shelf,
                          const struct mq_operation_ref *ref, int64_t source,
                          struct mq_error *error)
{
    return mq_array_add(&shelf->items, sizeof *shelf->items, &shelf->count,
                        &shelf->room, &(struct item){ *ref, source, 0 },
                        "looking for near misses", error);
}

/* Chains all items of each source, in their order. */
static enum mq_result chain(struct shelf *shelf, struct mq_error *error)
{
    uint32_t *first;

    mq_map_empty(&shelf->first);
    for (size_t i = shelf->count; i-- > 0;) {
        struct item *it = &shelf->items[i];
        struct mq_key key = { (uint64_t)it->source, 0 };

        if (mq_map_add(&shelf->first, key, 0, error, &first) != mq_ok)
            return mq_failed;
        it->next = *first;
        *first = (uint32_t)i + 1;
    }
    return mq_ok;
}

/* 1 + the index of the first item of a source, or 0. */
static uint32_t first_of(const struct shelf *shelf, int64_t source)
{
    const uint32_t *first = mq_map_find(&shelf->first,
                                        (struct mq_key){ (uint64_t)source, 0 });

    return first != NULL ? *first : 0;
}

/* ---- Pairs ------------------------------------------------------------ */

static int64_t source_of(const struct finder *f,
                         const struct mq_operation_ref *message)
{
    return mq_operation_ref_sender(f->job, message);
}

static bool is_longer(const struct mq_operation *message,
                      const struct mq_operation *receive)
{
    bool known = receive->desired_length > 0
                 || (receive->desired_length == 0 && receive->buffer != 0);

    return known && message->desired_length > receive->desired_length;
}

/* The source's rank in the communicator of a message. */
static int64_t local_source_of(const struct finder *f,
                               const struct mq_operation_ref *message)
{
    return message->queue == mq_sends
           ? mq_operation_ref_communicator(f->job, message)->local_rank
           : mq_operation_ref_operation(f->job, message)->desired_local;
}

/* Whether the message comes from the source that the receive asks for.  Of
 * another communicator the user may mean the rank there.
 */
static bool is_of_source(const struct finder *f,
                         const struct mq_operation_ref *receive,
                         const struct mq_operation_ref *message,
                         bool same_communicator)
{
    const struct mq_operation *r = mq_operation_ref_operation(f->job, receive);
    const struct mq_group *group =
        mq_operation_ref_communicator(f->job, receive)->group;

    if (r->desired_local < 0)
        return group != NULL
               && mq_group_local(group, source_of(f, message)) >= 0;
    return r->desired_global == source_of(f, message)
           || (!same_communicator
               && r->desired_local == local_source_of(f, message));
}

/* If a rank receives from one rank after the other, the next one's message may
 * have arrived.
 */
static bool goes_on(const struct finder *f, uint32_t process)
{
    return f->prospects->nodes[process] == mq_prospect_free;
}

/* Whether the rank at hand has posted a receive that asks for the rank that a
 * message comes from: then the message was not meant for one of another rank.
 */
static bool has_own_receive(const struct finder *f,
                            const struct mq_operation_ref *message)
{
    int64_t source = source_of(f, message);

    return source >= 0 && first_of(&f->receives, source) != 0;
}

/* In what a message differs from what a receive asks for. */
static enum mq_difference compare(const struct finder *f,
                                  const struct mq_operation_ref *receive,
                                  const struct mq_operation_ref *message)
{
    const struct mq_match *match = f->table->match;
    const struct mq_operation *r = mq_operation_ref_operation(f->job, receive);
    const struct mq_operation *m = mq_operation_ref_operation(f->job, message);
    uint32_t there = mq_match_number(match, receive->process,
                                     receive->communicator);
    uint32_t here = mq_match_number(match, message->process,
                                    message->communicator);
    enum mq_difference found = mq_no_difference;
    bool differ[mq_differences];

    if (match->ambiguous[there] || match->ambiguous[here]
        || mq_is_internal(f->table, receive)
        || mq_is_internal(f->table, message))
        return mq_much_differs;
    differ[mq_tag_differs] = !r->tag_wild && r->desired_tag != m->desired_tag;
    differ[mq_source_differs] = !is_of_source(f, receive, message,
                                              there == here);
    differ[mq_communicator_differs] = there != here;
    differ[mq_too_long] = is_longer(m, r);
    if (differ[mq_source_differs]
        && (r->tag_wild || goes_on(f, receive->process)
            || has_own_receive(f, message)))
        return mq_much_differs;
    for (int i = 0; i < mq_differences; i++)
        if (differ[i])
            found = found == mq_no_difference ? (enum mq_difference)i
                                              : mq_much_differs;
    return found;
}

/* A message that some receive matches, and a receive that some message does,
 * have no near miss.
 */
static enum mq_result try_pair(struct finder *f,
                               const struct mq_operation_ref *receive,
                               const struct mq_operation_ref *message)
{
    /* A message that nobody has is never compared. */
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference) */
    struct mq_near_miss miss = { compare(f, receive, message), *receive,
                                 *message, false, 0 };
    /* NOLINTEND(clang-analyzer-core.NullDereference) */

    f->compared++;
    f->matched |= miss.difference == mq_no_difference;
    if (miss.difference >= mq_differences
        || (*mq_facts(f->table, message) & mq_met
            && miss.difference != mq_too_long))
        return mq_ok;
    miss.note = !(*mq_facts(f->table, receive) & mq_awaited);
    /* Adds a miss, or counts it with one of the same kind. */
    for (size_t i = f->begin; i < f->count; i++)
        if (f->misses[i].difference == miss.difference) {
            f->misses[i].more++;
            return mq_ok;
        }
    return mq_array_add(&f->misses, sizeof *f->misses, &f->count, &f->room,
                        &miss, "looking for near misses", f->error);
}

/* Ends the search for one operation: what matches has no near miss. */
static void settle(struct finder *f)
{
    if (f->matched)
        f->count = f->begin;
}

static void begin(struct finder *f)
{
    f->begin = f->count;
    f->compared = 0;
    f->matched = false;
}

/* Compares RECEIVE with the messages to its rank, those of its source first. */
static enum mq_result try_messages(struct finder *f,
                                   const struct mq_operation_ref *receive)
{
    const struct mq_operation *op = mq_operation_ref_operation(f->job, receive);
    int64_t source = op->desired_local < 0 ? any_source : op->desired_global;

    const struct item *items = f->messages.items;

    begin(f);
    for (uint32_t i = first_of(&f->messages, source);
         i != 0 && f->compared < mq_near_miss_limit; i = items[i - 1].next)
        if (try_pair(f, receive, &items[i - 1].ref) != mq_ok)
            return mq_failed;
    f->compared = 0;
    for (size_t i = 0; i < f->messages.count
         && f->compared < mq_near_miss_limit; i++)
        if (items[i].source != source
            && try_pair(f, receive, &items[i].ref) != mq_ok)
            return mq_failed;
    settle(f);
    return mq_ok;
}

/* Compares MESSAGE, which holds its sender, with the receives of the rank. */
static enum mq_result try_receives(struct finder *f,
                                   const struct mq_operation_ref *message)
{
    begin(f);
    for (size_t i = 0; i < f->receives.count
         && f->compared < mq_near_miss_limit; i++)
        if (try_pair(f, &f->receives.items[i].ref, message) != mq_ok)
            return mq_failed;
    settle(f);
    return mq_ok;
}

/* ---- Ranks ------------------------------------------------------------ */

/* Whether the send's message is known to be, or to have been, at its receiver:
 * its unexpected messages show all about it.
 */
static bool is_settled(const struct finder *f,
                       const struct mq_operation_ref *send)
{
    return mq_operation_ref_operation(f->job, send)->status != mq_pending
           || *mq_facts(f->table, send) & mq_arrived;
}

static enum mq_result fill_shelves(struct finder *f, uint32_t process)
{
    const struct mq_match_table *table = f->table;
    struct mq_operation_ref ref = mq_operation_ref_before(process);

    f->messages.count = f->receives.count = 0;
    while (mq_operation_ref_next(f->job, &ref)) {
        const struct mq_operation *op = mq_operation_ref_operation(f->job,
                                                                   &ref);
        enum mq_result result = mq_ok;

        if (ref.queue == mq_unexpected)
            result = put(&f->messages, &ref, op->desired_global, f->error);
        else if (ref.queue == mq_receives && op->status == mq_pending)
            result = put(&f->receives, &ref, op->desired_local < 0
                         ? any_source : op->desired_global, f->error);
        if (result != mq_ok)
            return mq_failed;
    }
    for (size_t i = table->first_send[process];
         i < table->first_send[process + 1]; i++)
        if (!is_settled(f, &table->sends[i])
            && put(&f->messages, &table->sends[i],
                   source_of(f, &table->sends[i]), f->error) != mq_ok)
            return mq_failed;
    return chain(&f->messages, f->error) != mq_ok ? mq_failed
           : chain(&f->receives, f->error);
}

/* The receives that hold the rank: those that are matched do not. */
static enum mq_result look_from_receives(struct finder *f, uint32_t process)
{
    const struct mq_waiter *waiter = &f->waits->of[process];

    for (size_t i = 0; i < waiter->need_count; i++) {
        const struct mq_need *need = &waiter->needs[i];

        if (need->value != mq_value_unknown && need->ref.queue == mq_receives
            && mq_operation_ref_operation(f->job, &need->ref)->status
                   == mq_pending
            && try_messages(f, &need->ref) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* The messages that hold their senders. */
static enum mq_result look_from_messages(struct finder *f, uint32_t process)
{
    const struct mq_match_table *table = f->table;

    for (size_t i = 0; i < f->messages.count; i++) {
        const struct mq_operation_ref *message = &f->messages.items[i].ref;

        if (message->queue == mq_unexpected
            && *mq_facts(table, message) & mq_unlisted
            && try_receives(f, message) != mq_ok)
            return mq_failed;
    }
    for (size_t i = table->first_send[process];
         i < table->first_send[process + 1]; i++) {
        const struct mq_operation_ref *send = &table->sends[i];

        if (*mq_facts(table, send) & mq_awaited
            && try_receives(f, send) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* If the rank is held by receives, these are looked at, and else what sends to
 * it hold others.
 */
static enum mq_result look_at_rank(struct finder *f, uint32_t process)
{
    const struct mq_waiter *waiter = &f->waits->of[process];
    bool receives = false;

    if (!mq_rank_counts(f->table->ranks, process)
        || f->job->processes[process].movement == mq_moved)
        return mq_ok;
    for (size_t i = 0; i < waiter->need_count && !receives; i++)
        receives = waiter->needs[i].ref.queue == mq_receives;
    if (fill_shelves(f, process) != mq_ok)
        return mq_failed;
    return receives ? look_from_receives(f, process)
                    : look_from_messages(f, process);
}

enum mq_result mq_near_misses_find(const struct mq_waits *waits,
                                   const struct mq_prospects *prospects,
                                   struct mq_error *error,
                                   struct mq_near_miss **misses, size_t *count)
{
    struct finder f = {
        .waits = waits, .prospects = prospects, .table = waits->table,
        .job = waits->table->job, .error = error
    };
    enum mq_result result = mq_ok;

    for (uint32_t p = 0; p < f.job->process_count && result == mq_ok; p++)
        result = look_at_rank(&f, p);
    free(f.messages.items);
    free(f.receives.items);
    mq_map_deinit(&f.messages.first);
    mq_map_deinit(&f.receives.first);
    if (result == mq_ok) {
        for (size_t i = 0; i < f.count; i++)
            if (!f.misses[i].note
                && f.misses[i].message.queue == mq_unexpected)
                *mq_facts(f.table, &f.misses[i].message) |= mq_explained;
        *misses = f.misses;
        *count = f.count;
    } else {
        free(f.misses);
    }
    return result;
}
