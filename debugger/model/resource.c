/* resource.c - resources that threads wait for, and their holders */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/resource.h"

#include <inttypes.h>
#include <string.h>

#include "base/word.h"

const struct mq_resource_row mq_resource_rows[mq_resource_kinds] = {
#define MQ_RESOURCE(id, name, noun, link, nobody) { name, noun, link, nobody },
#include "model/resources.def"
#undef MQ_RESOURCE
};

static const char *const holders[mq_holders] = {
    "unknown", "nobody", "thread", "process"
};

bool mq_resource_holds_up(const struct mq_resource *it)
{
    return it->kind != mq_resource_none && it->kind != mq_resource_polled_lock;
}

enum mq_result mq_resource_take(char **words, struct mq_error *error,
                                struct mq_resource *resource)
{
    const char *name = mq_word_next(words), *holder = mq_word_next(words);
    struct mq_resource taken = { .rank = -1 };
    int64_t rank, process, thread;

    while (taken.kind < mq_resource_kinds
           && strcmp(mq_resource_rows[taken.kind].name, name) != 0)
        taken.kind++;
    while (taken.holder < mq_holders
           && strcmp(holders[taken.holder], holder) != 0)
        taken.holder++;
    if (taken.kind == mq_resource_kinds || taken.holder == mq_holders)
        return mq_fail(error, "'%.40s' of '%.40s' is not a resource", name,
                       holder);
    if (!mq_word_number(words, -1, INT32_MAX, &rank)
        || !mq_word_number(words, 0, INT32_MAX, &process)
        || !mq_word_number(words, 0, INT32_MAX, &thread))
        return mq_fail(error, "the holder of a resource is not a number");
    taken.rank = (int32_t)rank;
    taken.process = (int32_t)process;
    taken.thread = (int32_t)thread;
    taken.name = mq_word_text(words);
    taken.activity = mq_word_text(words);
    *resource = taken;
    return mq_ok;
}

void mq_resource_write(const struct mq_resource *resource, FILE *file)
{
    fprintf(file, "%s %s %" PRId32 " %" PRId32 " %" PRId32 " ",
            mq_resource_rows[resource->kind].name, holders[resource->holder],
            resource->rank, resource->process, resource->thread);
    mq_word_write(resource->name, file);
    putc(' ', file);
    mq_word_write(resource->activity, file);
    putc('\n', file);
}
