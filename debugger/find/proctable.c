/* proctable.c - table of a job's processes, as the job lists them */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "find/proctable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "process/local_host.h"
#include "target/name.h"

/* As strcmp; null comes first. */
static int compare_texts(int compare(const char *, const char *),
                         const char *one, const char *other)
{
    if (one == NULL || other == NULL)
        return (one != NULL) - (other != NULL);
    return compare(one, other);
}

static int compare_numbers(int64_t one, int64_t other)
{
    return (one > other) - (one < other);
}

void mq_location_set_local(struct mq_location *place,
                           const struct mq_location *neighbour)
{
    if (neighbour != NULL &&
        compare_texts(strcmp, place->host, neighbour->host) == 0)
        place->is_local = neighbour->is_local;
    else
        place->is_local = place->host != NULL && mq_host_is_local(place->host);
}

int mq_location_compare(const struct mq_location *one,
                        const struct mq_location *other)
{
    int order = compare_numbers(one->pid, other->pid);

    if (order == 0)
        order = compare_numbers(one->is_local, other->is_local);
    if (order == 0 && !one->is_local)
        order = compare_texts(strcasecmp, one->host, other->host);
    return order;
}

enum mq_result mq_proctable_name(struct mq_proctable *table, const char *text,
                                 struct mq_error *error, const char **name)
{
    const void *copy = NULL;

    if (text != NULL
        && mq_intern(&table->names, text, strlen(text) + 1, error, &copy)
           != mq_ok)
        return mq_failed;
    if (table->names.size > mq_proctable_most_names)
        return mq_fail(error, "the names in the table of the job's processes "
                       "have more than %d bytes, as no job's do",
                       mq_proctable_most_names);
    *name = copy;
    return mq_ok;
}

enum mq_result mq_proctable_read_name(struct mq_proctable *table,
                                      struct mq_target *target,
                                      uint64_t address, size_t limit,
                                      struct mq_error *error,
                                      const char **name)
{
    enum mq_result result;
    char *text;

    if (table->read > mq_proctable_most_read)
        return mq_fail(error, "it is not read: the names before it have more "
                       "than %d bytes, as no job's do",
                       mq_proctable_most_read);
    result = mq_name_read(target, address, limit, error, &text);
    if (result != mq_ok)
        return result;
    table->read += strlen(text) + 1;
    result = mq_proctable_name(table, text, error, name);
    if (result != mq_ok)
        table->read = SIZE_MAX;
    free(text);
    return result;
}

enum mq_result mq_proctable_add(struct mq_proctable *table,
                                const struct mq_procdesc *entry,
                                struct mq_error *error)
{
    if (table->count == mq_proctable_most)
        return mq_fail(error, "there are more than %d rank processes",
                       mq_proctable_most);
    return mq_array_add(&table->entries, sizeof *entry, &table->count,
                        &table->room, entry, "reading the table of processes",
                        error);
}

/* The place in MPI: those of a starter first, then by world and rank. */
static int compare_ranks(const struct mq_procdesc *one,
                         const struct mq_procdesc *other)
{
    int order = compare_numbers(one->parent_world != NULL,
                                other->parent_world != NULL);

    if (order == 0)
        order = compare_texts(strcmp, one->world, other->world);
    return order != 0 ? order : compare_numbers(one->rank, other->rank);
}

static int by_process(const void *one, const void *other)
{
    const struct mq_procdesc *a = one, *b = other;
    int order = mq_location_compare(&a->place, &b->place);

    return order != 0 ? order : compare_ranks(a, b);
}

static int by_rank(const void *one, const void *other)
{
    const struct mq_procdesc *a = one, *b = other;
    int order = compare_ranks(a, b);

    return order != 0 ? order : mq_location_compare(&a->place, &b->place);
}

static const char *shown(const char *text)
{
    return text != NULL ? text : "an unknown host";
}

/* "rank 3" or "rank 3 of world W", in the room of TEXT. */
static const char *name_rank(const struct mq_procdesc *entry, char text[256])
{
    snprintf(text, 256, "rank %" PRId64 "%s%s", entry->rank,
             entry->world != NULL ? " of world " : "",
             entry->world != NULL ? entry->world : "");
    return text;
}

static void remove_repeated(struct mq_proctable *table,
                            struct mq_logger *logger)
{
    char one[256], other[256];
    size_t i, kept = 0;

    for (i = 0; i < table->count; i++) {
        struct mq_procdesc *entry = &table->entries[i];
        struct mq_procdesc *last = &table->entries[kept > 0 ? kept - 1 : 0];

        if (kept == 0 || entry->place.host == NULL ||
            mq_location_compare(&entry->place, &last->place) != 0) {
            table->entries[kept++] = *entry;
            continue;
        }
        if (compare_ranks(entry, last) != 0)
            mq_log(logger, mq_warning, "process %" PRId64 " on %s is listed "
                   "as %s and as %s: the former is used", entry->place.pid,
                   entry->place.host, name_rank(last, one),
                   name_rank(entry, other));
    }
    table->count = kept;
}

void mq_proctable_sort(struct mq_proctable *table, struct mq_logger *logger)
{
    char rank[256];

    if (table->count == 0)
        return;
    qsort(table->entries, table->count, sizeof *table->entries, by_process);
    remove_repeated(table, logger);
    qsort(table->entries, table->count, sizeof *table->entries, by_rank);
    for (size_t i = 1; i < table->count; i++) {
        const struct mq_procdesc *entry = &table->entries[i];

        if (compare_ranks(entry - 1, entry) == 0)
            mq_log(logger, mq_warning, "processes %" PRId64 " on %s and "
                   "%" PRId64 " on %s are both listed as %s",
                   entry[-1].place.pid, shown(entry[-1].place.host),
                   entry->place.pid, shown(entry->place.host),
                   name_rank(entry, rank));
    }
}

void mq_proctable_deinit(struct mq_proctable *table)
{
    free(table->entries);
    mq_interned_deinit(&table->names);
    memset(table, 0, sizeof *table);
}
