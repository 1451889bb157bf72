#include "analysis/near_miss.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

/* Operations of one rank by the rank that they come from. */
struct shelf {
    size_t count, room;
    struct item {
        struct mq_operation_ref place;
        uint32_t next;          /* 1 + index of the next of the source, or 0 */
    } *items;
    struct mq_map ends;         /* by source: 1 + indices of the first and the
                                   last item */
};

struct finder {
    const struct mq_waits *waits;
    const struct mq_mail *mail;
    const struct mq_job *job;
    struct mq_near_miss *misses;
    size_t count, room;
    size_t begin;               /* of the misses of the operation at hand */
    size_t compared;
    struct shelf messages;      /* that lie at the rank at hand, or come */
    struct shelf receives;      /* that it has posted */
};

enum {
    any_source = -1
};

/* ---- Shelves ---------------------------------------------------------- */

static struct mq_key key_of(int64_t source, bool last)
{
    struct mq_key key = { (uint64_t)source, last };

    return key;
}

static enum mq_result put(struct shelf *shelf,
                          const struct mq_operation_ref *place, int64_t source,
                          struct mq_error *error)
{
    uint32_t self = (uint32_t)shelf->count + 1, *first, *last;

    if (shelf->count == shelf->room) {
        size_t room = 2 * shelf->room + 64;
        struct item *larger = realloc(shelf->items, room * sizeof *larger);

        if (larger == NULL)
            return mq_fail_memory(error, "looking for near misses");
        shelf->items = larger;
        shelf->room = room;
    }
    if (mq_map_add(&shelf->ends, key_of(source, false), self, error, &first)
        != mq_ok
        || mq_map_add(&shelf->ends, key_of(source, true), self, error, &last)
           != mq_ok)
        return mq_failed;
    if (*last != self)
        shelf->items[*last - 1].next = self;
    *last = self;
    shelf->items[shelf->count++] = (struct item){ *place, 0 };
    return mq_ok;
}

/* The item of that number in the order of arrival, or null. */
static const struct item *at(const struct shelf *shelf, size_t number)
{
    return number < shelf->count ? &shelf->items[number] : NULL;
}

/* The first item of a source, and the one after ITEM; null after the last. */
static const struct item *first_of(const struct shelf *shelf, int64_t source)
{
    const uint32_t *first = mq_map_find(&shelf->ends, key_of(source, false));

    return first != NULL ? &shelf->items[*first - 1] : NULL;
}

static const struct item *after(const struct shelf *shelf,
                                const struct item *item)
{
    return item->next != 0 ? &shelf->items[item->next - 1] : NULL;
}

static void empty_shelf(struct shelf *shelf)
{
    shelf->count = 0;
    mq_map_empty(&shelf->ends);
}

static void clear_shelf(struct shelf *shelf)
{
    free(shelf->items);
    mq_map_deinit(&shelf->ends);
}

/* ---- Pairs ------------------------------------------------------------ */

static int64_t source_of(const struct finder *f, const struct mq_operation_ref *message)
{
    return mq_operation_ref_sender(f->job, message);
}

/* Whether RECEIVE can be meant for messages from SOURCE. */
static bool asks_for(const struct finder *f, const struct mq_operation_ref *receive,
                     int64_t source)
{
    const struct mq_operation *op = mq_operation_ref_operation(f->job, receive);
    const struct mq_group *group =
        mq_operation_ref_communicator(f->job, receive)->group;

    if (op->desired_local >= 0)
        return op->desired_global == source;
    return group != NULL && mq_group_local(group, source) >= 0;
}

static bool is_longer(const struct mq_operation *message,
                      const struct mq_operation *receive)
{
    bool known = receive->buffer != 0 || receive->desired_length != 0;

    return known && message->desired_length > receive->desired_length;
}

/* In what a message of the right source differs, if in one respect only. */
static enum mq_difference compare(const struct finder *f,
                                  const struct mq_operation_ref *receive,
                                  const struct mq_operation_ref *message)
{
    const struct mq_match *match = f->mail->match;
    const struct mq_operation *r = mq_operation_ref_operation(f->job, receive);
    const struct mq_operation *m = mq_operation_ref_operation(f->job, message);
    uint32_t there = mq_match_number(match, receive->process,
                                     receive->communicator);
    uint32_t here = mq_match_number(match, message->process,
                                    message->communicator);
    bool tag = !r->tag_wild && r->desired_tag != m->desired_tag;
    bool communicator = there != here;
    bool too_long = is_longer(m, r);

    if (match->ambiguous[there] || match->ambiguous[here]
        || mq_match_is_internal(match, receive->process, receive->communicator)
        || mq_match_is_internal(match, message->process, message->communicator)
        || tag + communicator + too_long != 1)
        return mq_same;
    return tag ? mq_tag_differs
           : communicator ? mq_communicator_differs : mq_too_long;
}

/* Adds a miss, or counts it with one of the same kind. */
static enum mq_result add(struct finder *f, const struct mq_near_miss *miss,
                          struct mq_error *error)
{
    for (size_t i = f->begin; i < f->count; i++)
        if (f->misses[i].difference == miss->difference) {
            f->misses[i].more++;
            return mq_ok;
        }
    if (f->count == f->room) {
        size_t room = 2 * f->room + 16;
        struct mq_near_miss *larger = realloc(f->misses,
                                              room * sizeof *larger);

        if (larger == NULL)
            return mq_fail_memory(error, "looking for near misses");
        f->misses = larger;
        f->room = room;
    }
    f->misses[f->count++] = *miss;
    return mq_ok;
}

static enum mq_result try_pair(struct finder *f,
                               const struct mq_operation_ref *receive,
                               const struct mq_operation_ref *message,
                               struct mq_error *error)
{
    struct mq_near_miss miss = { mq_same, *receive, *message, 0 };

    f->compared++;
    if (asks_for(f, receive, source_of(f, message)))
        miss.difference = compare(f, receive, message);
    return miss.difference == mq_same ? mq_ok : add(f, &miss, error);
}

/* Compares RECEIVE with the messages to its rank. */
static enum mq_result try_messages(struct finder *f,
                                   const struct mq_operation_ref *receive,
                                   struct mq_error *error)
{
    const struct mq_operation *op = mq_operation_ref_operation(f->job, receive);
    bool any = op->desired_local < 0;
    const struct item *item = any ? at(&f->messages, 0)
                              : first_of(&f->messages, op->desired_global);

    f->begin = f->count;
    f->compared = 0;
    while (item != NULL && f->compared < mq_near_miss_limit) {
        if (try_pair(f, receive, &item->place, error) != mq_ok)
            return mq_failed;
        item = any ? at(&f->messages, f->compared)
                   : after(&f->messages, item);
    }
    return mq_ok;
}

/* Compares MESSAGE, which holds its sender, with the receives of the rank. */
static enum mq_result try_receives(struct finder *f,
                                   const struct mq_operation_ref *message,
                                   struct mq_error *error)
{
    int64_t sources[] = { source_of(f, message), any_source };

    f->begin = f->count;
    f->compared = 0;
    for (int i = 0; i < 2; i++)
        for (const struct item *item = first_of(&f->receives, sources[i]);
             item != NULL && f->compared < mq_near_miss_limit;
             item = after(&f->receives, item))
            if (try_pair(f, &item->place, message, error) != mq_ok)
                return mq_failed;
    return mq_ok;
}

/* ---- Ranks ------------------------------------------------------------ */

/* Whether the send's message is known to lie, or to have been, at its receiver:
 * what lies unexpected there tells all about it.
 */
static bool is_settled(const struct finder *f, const struct mq_operation_ref *send)
{
    return mq_operation_ref_operation(f->job, send)->status != mq_pending
           || *mq_mark(f->mail, send) & mq_arrived;
}

static enum mq_result fill_shelves(struct finder *f, uint32_t process,
                                   struct mq_error *error)
{
    const struct mq_mail *mail = f->mail;
    struct mq_operation_ref place = mq_operation_ref_before(process);

    empty_shelf(&f->messages);
    empty_shelf(&f->receives);
    while (mq_operation_ref_next(f->job, &place)) {
        const struct mq_operation *op = mq_operation_ref_operation(f->job, &place);
        enum mq_result result = mq_ok;

        if (place.queue == mq_unexpected)
            result = put(&f->messages, &place, op->desired_global, error);
        else if (place.queue == mq_receives && op->status == mq_pending)
            result = put(&f->receives, &place, op->desired_local < 0
                         ? any_source : op->desired_global, error);
        if (result != mq_ok)
            return mq_failed;
    }
    for (size_t i = mail->first_send[process];
         i < mail->first_send[process + 1]; i++)
        if (!is_settled(f, &mail->sends[i])
            && put(&f->messages, &mail->sends[i],
                   source_of(f, &mail->sends[i]), error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

/* The receives that hold the rank. */
static enum mq_result look_from_receives(struct finder *f, uint32_t process,
                                         struct mq_error *error)
{
    for (size_t i = f->waits->first[process];
         i < f->waits->first[process + 1]; i++) {
        const struct mq_wait_for *wait = &f->waits->waits[i];

        if (!wait->unlikely && wait->place.queue == mq_receives
            && try_messages(f, &wait->place, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

static bool waits_for_sends(enum mq_wait wait)
{
    return wait == mq_wait_request || wait == mq_wait_unknown
           || wait == mq_wait_collective;
}

/* The messages that hold their senders. */
static enum mq_result look_from_messages(struct finder *f, uint32_t process,
                                         struct mq_error *error)
{
    const struct mq_mail *mail = f->mail;

    for (size_t i = 0; i < f->messages.count; i++) {
        const struct mq_operation_ref *message = &f->messages.items[i].place;

        if (message->queue == mq_unexpected
            && *mq_mark(mail, message) & mq_unlisted
            && try_receives(f, message, error) != mq_ok)
            return mq_failed;
    }
    for (size_t i = mail->first_send[process];
         i < mail->first_send[process + 1]; i++) {
        const struct mq_operation_ref *send = &mail->sends[i];

        if (mq_operation_ref_operation(f->job, send)->status == mq_pending
            && waits_for_sends(mail->waits[send->process])
            && try_receives(f, send, error) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

/* If the rank is held by receives, these are looked at, and else what sends to
 * it hold others.
 */
static enum mq_result look_at_rank(struct finder *f, uint32_t process,
                                   struct mq_error *error)
{
    enum mq_wait wait = f->mail->waits[process];
    bool receives = waits_for_sends(wait) || wait == mq_wait_receive;

    if (!mq_rank_counts(f->mail->ranks, process))
        return mq_ok;
    if (fill_shelves(f, process, error) != mq_ok)
        return mq_failed;
    return receives ? look_from_receives(f, process, error)
                    : look_from_messages(f, process, error);
}

enum mq_result mq_near_misses_find(const struct mq_waits *waits,
                                   struct mq_error *error,
                                   struct mq_near_miss **misses, size_t *count)
{
    struct finder f;
    enum mq_result result = mq_ok;

    memset(&f, 0, sizeof f);
    f.waits = waits;
    f.mail = waits->mail;
    f.job = waits->mail->job;
    for (uint32_t p = 0; p < f.job->process_count && result == mq_ok; p++)
        result = look_at_rank(&f, p, error);
    clear_shelf(&f.messages);
    clear_shelf(&f.receives);
    if (result == mq_ok) {
        *misses = f.misses;
        *count = f.count;
    } else {
        free(f.misses);
    }
    return result;
}
