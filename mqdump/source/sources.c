/* sources.c - sources of processes on the command line */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/source/sources.h"

#include <stdlib.h>

#include "base/array.h"
#include "mqdump/sample/source_live.h"

static const struct {
    size_t values;
    mq_source_reader *read;
} kinds[] = {
    [mq_source_file] = { 1, mq_read_file },
    [mq_source_processes] = { 1, mq_read_processes },
    [mq_source_core] = { 2, mq_read_core },
    [mq_source_held] = { 2, mq_read_held },
    [mq_source_job] = { 1, mq_read_job },
    [mq_source_launch] = { 0, mq_read_launch },
    [mq_source_cluster] = { 0, mq_read_cluster }
};

enum mq_result mq_sources_add(struct mq_sources *sources,
                              enum mq_source_kind kind, char *const *values,
                              struct mq_error *error)
{
    struct mq_source *source;
    size_t i;

    if (mq_array_reserve(&sources->items, sizeof *source, sources->count + 1,
                         &sources->room, "reading the command line", error)
        != mq_ok)
        return mq_failed;
    source = &sources->items[sources->count++];
    source->kind = kind;
    for (i = 0; i < mq_source_values; i++)
        source->values[i] = i < kinds[kind].values ? values[i] : NULL;
    return mq_ok;
}

void mq_sources_deinit(struct mq_sources *sources)
{
    free(sources->items);
}

void mq_sources_read(const struct mq_sources *sources,
                     const struct mq_read_options *how,
                     struct mq_reading *reading)
{
    struct mq_error error;
    size_t i;

    for (i = 0; i < sources->count; i++) {
        const struct mq_source *source = &sources->items[i];

        if (kinds[source->kind].read(source->values, how, reading, &error)
            != mq_ok)
            mq_reading_complain(reading, how, &error);
    }
}
