#include "sources.h"

#include <stdlib.h>

#include "snapshot.h"

int mq_sources_add(struct mq_sources *sources,
                   int (*read)(char *const *, struct mq_reader *,
                               struct mq_error *),
                   char *const *values, size_t count, struct mq_error *error)
{
    struct mq_source *items = realloc(sources->items,
                                      (sources->count + 1) * sizeof *items);
    struct mq_source *source;
    size_t i;

    if (items == NULL)
        return mq_fail_memory(error, "reading the command line");
    sources->items = items;
    source = &items[sources->count++];
    source->read = read;
    for (i = 0; i < mq_source_values; i++)
        source->values[i] = i < count ? values[i] : NULL;
    return mq_ok;
}

void mq_sources_clear(struct mq_sources *sources)
{
    free(sources->items);
    sources->items = NULL;
    sources->count = 0;
}

void mq_sources_read(const struct mq_sources *sources,
                     struct mq_reader *reader)
{
    struct mq_error error;
    size_t i;

    for (i = 0; i < sources->count; i++) {
        const struct mq_source *source = &sources->items[i];

        if (source->read(source->values, reader, &error) != mq_ok)
            mq_reader_complain(reader, &error);
    }
}

int mq_read_snapshot(char *const *values, struct mq_reader *reader,
                     struct mq_error *error)
{
    struct mq_target *target = NULL;
    int result = mq_snapshot_open(values[0], error, &target);

    if (result == mq_ok) {
        result = mq_reader_walk(reader, target, error);
        mq_target_destroy(target);
    }
    return result;
}
