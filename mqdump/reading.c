#include "mqdump/reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell_statistics(const char *name, const struct mq_statistics *cost)
{
    fprintf(stderr, "%s: %" PRIu64 " fetches, %" PRIu64 " failed, %" PRIu64
            " bytes, %" PRIu64 " look-ups, %" PRIu64 " allocations\n", name,
            cost->fetches, cost->failed_fetches, cost->bytes, cost->lookups,
            cost->allocations);
}

static void account(struct mq_reader *reader, const mqs_process *process,
                    const char *name)
{
    struct mq_statistics cost;

    mq_process_statistics(process, &cost);
    reader->total.fetches += cost.fetches;
    reader->total.failed_fetches += cost.failed_fetches;
    reader->total.bytes += cost.bytes;
    reader->total.lookups += cost.lookups;
    reader->total.allocations += cost.allocations;
    reader->walked++;
    if (reader->stats)
        tell_statistics(name, &cost);
}

void mq_reader_tell_total(const struct mq_reader *reader)
{
    char name[64];

    snprintf(name, sizeof name, "total of %zu process%s", reader->walked,
             reader->walked == 1 ? "" : "es");
    tell_statistics(name, &reader->total);
}

void mq_reader_complain(struct mq_reader *reader, const struct mq_error *error)
{
    reader->is_incomplete = true;
    fprintf(stderr, "mqdump: %s\n", error->text);
}

static enum mq_result walk_process(struct mq_reader *reader, mqs_image *image,
                                   struct mq_target *target,
                                   struct mq_error *error)
{
    mqs_process *process = NULL;
    enum mq_result result = mq_process_open(image, target, error, &process);

    if (result != mq_ok)
        return result;
    result = mq_process_walk(process, reader->job, error);
    account(reader, process, target->name);
    mq_process_close(process);
    return result;
}

static enum mq_result walk_image(struct mq_reader *reader, struct mq_dll *dll,
                                 struct mq_target *target,
                                 struct mq_error *error)
{
    mqs_image *image = NULL;
    enum mq_result result = mq_image_open(dll, target, error, &image);

    if (result == mq_ok) {
        result = walk_process(reader, image, target, error);
        mq_image_close(image);
    }
    if (result == mq_absent)
        return mq_fail(error, "%s holds no message queues that %s knows; is "
                       "it an MPI program, and has it called MPI_Init?",
                       target->image, dll->file);
    return result;
}

/* Whoever failed may have named the target, or only what it was doing. */
static enum mq_result name_target(const struct mq_target *target,
                                  struct mq_error *error)
{
    struct mq_error cause = *error;

    if (strncmp(cause.text, target->name, strlen(target->name)) == 0)
        return mq_failed;
    return mq_fail(error, "%s: %s", target->name, cause.text);
}

void mq_reader_clear(struct mq_reader *reader)
{
    mq_dll_unload(reader->dll);
    free(reader->dll_image);
    reader->dll = NULL;
    reader->dll_image = NULL;
}

/* A DLL is chosen for an image: the processes of a job mostly share one. */
static enum mq_result choose_dll(struct mq_reader *reader,
                                 struct mq_target *target,
                                 struct mq_error *error)
{
    struct mq_dll *dll;

    if (reader->dll_image != NULL &&
        strcmp(reader->dll_image, target->image) == 0)
        return mq_ok;
    mq_reader_clear(reader);
    if (mq_dll_choose(&reader->choice, target, error, &dll) != mq_ok)
        return mq_failed;
    reader->dll = dll;
    reader->dll_image = strdup(target->image);
    return mq_ok;
}

enum mq_result mq_reader_walk(struct mq_reader *reader,
                              struct mq_target *target, struct mq_error *error)
{
    if (choose_dll(reader, target, error) == mq_ok &&
        walk_image(reader, reader->dll, target, error) == mq_ok)
        return mq_ok;
    return name_target(target, error);
}
