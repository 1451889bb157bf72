#include "near_miss.h"

#include <stdlib.h>
#include <string.h>

struct finder {
    const struct mq_waits *waits;
    const struct mq_mail *mail;
    const struct mq_job *job;
    struct mq_near_miss *misses;
    size_t count, room;
    size_t begin;               /* of the misses of the operation at hand */
    size_t compared;
};

static int64_t source_of(const struct finder *f, const struct mq_place *message)
{
    return message->queue == mq_sends
           ? mq_place_process(f->job, message)->rank
           : mq_place_operation(f->job, message)->desired_global;
}

/* Whether RECEIVE can be meant for messages from SOURCE. */
static bool asks_for(const struct finder *f, const struct mq_place *receive,
                     int64_t source)
{
    const struct mq_operation *op = mq_place_operation(f->job, receive);
    const struct mq_group *group =
        mq_place_communicator(f->job, receive)->group;

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
                                  const struct mq_place *receive,
                                  const struct mq_place *message)
{
    const struct mq_match *match = f->mail->match;
    const struct mq_operation *r = mq_place_operation(f->job, receive);
    const struct mq_operation *m = mq_place_operation(f->job, message);
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
static int add(struct finder *f, const struct mq_near_miss *miss,
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

static int try_pair(struct finder *f, const struct mq_place *receive,
                    const struct mq_place *message, struct mq_error *error)
{
    struct mq_near_miss miss = { mq_same, *receive, *message, 0 };

    if (f->compared == mq_near_miss_limit
        || !asks_for(f, receive, source_of(f, message)))
        return mq_ok;
    f->compared++;
    miss.difference = compare(f, receive, message);
    return miss.difference == mq_same ? mq_ok : add(f, &miss, error);
}

/* Whether the send's message is known to lie, or to have been, at its receiver:
 * what lies unexpected there tells all about it.
 */
static bool is_settled(const struct finder *f, const struct mq_place *send)
{
    return mq_place_operation(f->job, send)->status != mq_pending
           || *mq_mark(f->mail, send) & mq_arrived;
}

/* Compares RECEIVE with the messages to its rank. */
static int try_messages(struct finder *f, const struct mq_place *receive,
                        struct mq_error *error)
{
    const struct mq_mail *mail = f->mail;
    struct mq_place message = mq_place_before(receive->process);

    f->begin = f->count;
    f->compared = 0;
    while (mq_place_next(f->job, &message))
        if (message.queue == mq_unexpected
            && try_pair(f, receive, &message, error) != mq_ok)
            return mq_failed;
    for (size_t i = mail->first_send[receive->process];
         i < mail->first_send[receive->process + 1]; i++)
        if (!is_settled(f, &mail->sends[i])
            && try_pair(f, receive, &mail->sends[i], error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

/* Compares MESSAGE with the receives of the rank RECEIVER, which is not held
 * by any of them: else they have been looked at from there.
 */
static int try_receives(struct finder *f, const struct mq_place *message,
                        uint32_t receiver, struct mq_error *error)
{
    struct mq_place receive = mq_place_before(receiver);
    enum mq_wait wait = f->mail->waits[receiver];

    if (wait != mq_wait_none && wait != mq_wait_unseen && wait != mq_wait_send)
        return mq_ok;
    f->begin = f->count;
    f->compared = 0;
    while (mq_place_next(f->job, &receive))
        if (receive.queue == mq_receives
            && mq_place_operation(f->job, &receive)->status == mq_pending
            && try_pair(f, &receive, message, error) != mq_ok)
            return mq_failed;
    return mq_ok;
}

static int try_wait(struct finder *f, const struct mq_wait_for *wait,
                    struct mq_error *error)
{
    if (wait->unlikely)
        return mq_ok;
    if (wait->place.queue == mq_receives)
        return try_messages(f, &wait->place, error);
    if (wait->node < f->job->process_count)
        return try_receives(f, &wait->place, wait->node, error);
    return mq_ok;
}

int mq_near_misses_find(const struct mq_waits *waits, struct mq_error *error,
                        struct mq_near_miss **misses, size_t *count)
{
    struct finder f = { waits, waits->mail, waits->mail->job, NULL, 0, 0, 0,
                        0 };
    size_t end = waits->first[f.job->process_count];

    for (size_t i = 0; i < end; i++)
        if (try_wait(&f, &waits->waits[i], error) != mq_ok) {
            free(f.misses);
            return mq_failed;
        }
    *misses = f.misses;
    *count = f.count;
    return mq_ok;
}
