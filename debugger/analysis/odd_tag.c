/* odd_tag.c - the one rank whose tag differs from all others at a call site
 *
 * Of each place and argument two values are kept, and how many ranks have each:
 * with a third one, nobody is odd there.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/findings.h"

#include <stdlib.h>

#include "analysis/current_collective.h"
#include "analysis/thread_activity.h"
#include "base/array.h"
#include "base/map.h"
#include "mpi/call.h"

static const char *const compared[] = { "tag", "sendtag", "recvtag" };

enum {
    compared_count = sizeof compared / sizeof compared[0],
    most_values = 2
};

/* One argument of the ranks that are at one place. */
struct place {
    uint32_t argument;          /* index in compared */
    uint32_t count;             /* of values, with those that are not here */
    struct value {
        int64_t value;
        uint32_t ranks;         /* that have it */
        uint32_t process;       /* the first of them */
    } values[most_values];
};

struct finder {
    const struct mq_waits *waits;
    struct mq_map by_place;     /* index into places */
    struct place *places;
    size_t count, room;
};

static enum mq_result find_place(struct finder *f, size_t process,
                                 uint32_t argument, struct mq_error *error,
                                 struct place **place)
{
    const struct mq_process *it = &f->waits->table->job->processes[process];
    const struct mq_frame *site = mq_call_site(it);
    struct mq_key key = { (uintptr_t)mq_call_name(it->call),
                          (uintptr_t)site->file
                          ^ (uint64_t)(uint32_t)site->line << 40
                          ^ (uint64_t)argument << 60 };
    uint32_t *index;

    if (mq_map_add(&f->by_place, key, (uint32_t)f->count, error, &index)
        != mq_ok
        || mq_array_reserve(&f->places, sizeof *f->places, *index + 1,
                            &f->room, "comparing arguments", error) != mq_ok)
        return mq_failed;
    if (*index == f->count)
        f->places[f->count++] = (struct place){ .argument = argument };
    *place = &f->places[*index];
    return mq_ok;
}

static void count_value(struct place *place, uint32_t process, int64_t value)
{
    uint32_t i = 0;

    while (i < place->count && i < most_values
           && place->values[i].value != value)
        i++;
    if (i == place->count)
        place->count++;
    if (i < most_values && place->values[i].ranks++ == 0)
        place->values[i] = (struct value){ value, 1, process };
}

static enum mq_result look_at(struct finder *f, uint32_t process,
                              struct mq_error *error)
{
    const struct mq_process *it = &f->waits->table->job->processes[process];
    const struct mq_frame *site = mq_call_site(it);
    struct place *place;
    int64_t value;

    if (f->waits->of[process].state != mq_rank_waits || site == NULL
        || site->file == NULL || it->call == NULL)
        return mq_ok;
    for (uint32_t i = 0; i < compared_count; i++) {
        if (!mq_call_argument(it, compared[i], &value) || value < 0)
            continue;
        if (find_place(f, process, i, error, &place) != mq_ok)
            return mq_failed;
        count_value(place, process, value);
    }
    return mq_ok;
}

static enum mq_result list(const struct finder *f, struct mq_error *error,
                           struct mq_odd_tag **odd_tag, size_t *count)
{
    struct mq_odd_tag *made = malloc((f->count + 1) * sizeof *made);
    size_t found = 0;

    if (made == NULL)
        return mq_fail_memory(error, "comparing arguments");
    for (size_t i = 0; i < f->count; i++) {
        const struct place *it = &f->places[i];
        const struct value *one = &it->values[0], *other = &it->values[1];

        if (one->ranks != 1) {
            one = &it->values[1];
            other = &it->values[0];
        }
        if (it->count == 2 && one->ranks == 1 && other->ranks > 1)
            made[found++] = (struct mq_odd_tag){ one->process,
                                             compared[it->argument], one->value,
                                             other->value, other->ranks };
    }
    *odd_tag = made;
    *count = found;
    return mq_ok;
}

enum mq_result mq_odd_tags_find(const struct mq_waits *waits,
                                struct mq_error *error,
                                struct mq_odd_tag **odd_tag, size_t *count)
{
    struct finder f = { .waits = waits };
    enum mq_result result = mq_ok;

    for (uint32_t p = 0; result == mq_ok
                         && p < waits->table->job->process_count; p++)
        if (mq_rank_counts(waits->table->ranks, p))
            result = look_at(&f, p, error);
    if (result == mq_ok)
        result = list(&f, error, odd_tag, count);
    mq_map_deinit(&f.by_place);
    free(f.places);
    return result;
}
