/* unclaimed.c - messages that no rank receives */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/findings.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/map.h"

struct finder {
    const struct mq_match_table *table;
    struct mq_unclaimed *found;
    size_t count, room;
    struct mq_map places;       /* by communicator, source and tag, of one
                                   process: index into found */
};

static enum mq_result entry_of(struct finder *f,
                               const struct mq_operation_ref *ref,
                               struct mq_error *error,
                               struct mq_unclaimed **entry)
{
    const struct mq_operation *message =
        mq_operation_ref_operation(f->table->job, ref);
    struct mq_key key = { (uint64_t)ref->communicator << 32
                          | (uint32_t)message->desired_local,
                          (uint64_t)message->desired_tag };
    uint32_t *index;

    if (mq_map_add(&f->places, key, (uint32_t)f->count, error, &index)
        != mq_ok)
        return mq_failed;
    if (mq_array_reserve(&f->found, sizeof *f->found, *index + 1, &f->room,
                         "counting unexpected messages", error) != mq_ok)
        return mq_failed;
    if (*index == f->count)
        f->found[f->count++] = (struct mq_unclaimed){ *ref, 0, 0, false };
    *entry = &f->found[*index];
    return mq_ok;
}

int64_t mq_unclaimed_bytes(int64_t some, int64_t more)
{
    if (some < 0 || more < 0)
        return -1;
    return more <= INT64_MAX - some ? some + more : INT64_MAX;
}

static enum mq_result look_at_process(struct finder *f, size_t process,
                                      struct mq_error *error)
{
    struct mq_operation_ref ref = mq_operation_ref_before(process);
    struct mq_unclaimed *entry = NULL;
    int64_t length;

    mq_map_empty(&f->places);
    while (mq_operation_ref_next(f->table->job, &ref)) {
        if (ref.queue != mq_unexpected || mq_is_internal(f->table, &ref)
            || *mq_facts(f->table, &ref) & mq_met)
            continue;
        if (entry_of(f, &ref, error, &entry) != mq_ok)
            return mq_failed;
        length = mq_operation_ref_operation(f->table->job,
                                            &ref)->desired_length;
        entry->messages++;
        entry->is_explained |= (*mq_facts(f->table, &ref)
                                & (mq_unlisted | mq_explained)) != 0;
        entry->bytes = mq_unclaimed_bytes(entry->bytes, length);
    }
    return mq_ok;
}

enum mq_result mq_unclaimed_find(const struct mq_match_table *table,
                                 struct mq_error *error,
                                 struct mq_unclaimed **unclaimed, size_t *count)
{
    struct finder f = { table, NULL, 0, 0, { 0, 0, NULL, 0 } };
    enum mq_result result = mq_ok;

    for (size_t p = 0; p < table->job->process_count && result == mq_ok; p++)
        if (mq_rank_counts(table->ranks, p))
            result = look_at_process(&f, p, error);
    mq_map_deinit(&f.places);
    if (result == mq_ok) {
        *unclaimed = f.found;
        *count = f.count;
    } else {
        free(f.found);
    }
    return result;
}
