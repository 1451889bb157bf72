/* world_members.c - communicator members of other MPI_COMM_WORLDs */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/world_members.h"

#include <stdlib.h>
#include <string.h>

#include "dll/callbacks.h"
#include "dll/dll.h"
#include "model/digest.h"
#include "model/process_builder.h"

enum { most_runs = 1 << 16 };   /* of one process */

/* The members of a communicator, by the DLL. */
struct lists {
    mqs_taddr_t *worlds;
    int *ranks;
};

static bool are_members_known(mqs_process *asked,
                              const struct mq_communicator *it,
                              const struct lists *lists)
{
    if (asked->image->dll->entries.comm_members(
            asked, (mqs_taddr_t)it->handle, (int)it->size, lists->worlds,
            lists->ranks) != mqs_ok)
        return false;
    for (int64_t i = 0; i < it->size; i++)
        if (lists->worlds[i] == 0 || lists->ranks[i] < 0
            || lists->ranks[i] >= mq_digest_most_ranks)
            return false;
    return true;
}

/* The number of the world if each member has its place as its rank there. */
static uint64_t number_of_world(const struct mq_communicator *it,
                                const struct lists *lists)
{
    for (int64_t i = 0; i < it->size; i++)
        if (lists->worlds[i] != lists->worlds[0] || lists->ranks[i] != i)
            return 0;
    return lists->worlds[0];
}

/* Whether place I, which is not the first one, goes on with the run before. */
static bool goes_on(const struct lists *lists, size_t i)
{
    return lists->worlds[i] == lists->worlds[i - 1]
           && lists->ranks[i] == lists->ranks[i - 1] + 1;
}

static enum mq_result add_runs(struct mq_process *process, size_t communicator,
                               const struct lists *lists,
                               struct mq_error *error)
{
    size_t size = (size_t)process->communicators[communicator].size, end;
    size_t count = 1;
    enum mq_result result = mq_ok;

    for (size_t i = 1; i < size; i++)
        count += !goes_on(lists, i);
    if (count > most_runs - process->member_count)
        return mq_ok;
    for (size_t i = 0; i < size && result == mq_ok; i = end) {
        for (end = i + 1; end < size && goes_on(lists, end); end++)
            continue;
        result = mq_process_add_members(process, &(struct mq_members){
            (uint32_t)communicator, lists->worlds[i], lists->ranks[i],
            (int32_t)(end - i)
        }, error);
    }
    return result;
}

static bool is_world(const struct mq_communicator *it)
{
    return strcmp(it->name, "MPI_COMM_WORLD") == 0;
}

static enum mq_result take(mqs_process *asked, struct mq_process *process,
                           size_t index, struct mq_error *error)
{
    const struct mq_communicator *it = &process->communicators[index];
    struct lists lists;
    enum mq_result result = mq_ok;

    if (it->handle == 0 || it->size < 1 || it->size > mq_digest_most_ranks
        || (it->group != NULL && !is_world(it)))
        return mq_ok;
    lists.worlds = calloc((size_t)it->size, sizeof *lists.worlds);
    lists.ranks = calloc((size_t)it->size, sizeof *lists.ranks);
    if (lists.worlds == NULL || lists.ranks == NULL) {
        result = mq_fail_memory(error, "for the members of a communicator");
    } else if (are_members_known(asked, it, &lists)) {
        if (is_world(it))
            process->world_number = number_of_world(it, &lists);
        else
            result = add_runs(process, index, &lists, error);
    }
    free(lists.worlds);
    free(lists.ranks);
    return result;
}

enum mq_result mq_dll_add_members(mqs_image *image, struct mq_target *target,
                                  struct mq_process *process,
                                  struct mq_error *error)
{
    const struct mq_dll_entries *entries = &image->dll->entries;
    struct mqs_process_ asked = { .image = image, .target = target,
                                  .rank = -1 };
    enum mq_result result = mq_ok;

    if (entries->comm_members == NULL
        || entries->setup_process(&asked, &mq_process_callbacks) != mqs_ok)
        return mq_absent;
    for (size_t c = 0; c < process->communicator_count && result == mq_ok; c++)
        result = take(&asked, process, c, error);
    if (asked.info != NULL)
        entries->destroy_process_info(asked.info);
    return result == mq_ok && process->world_number == 0 ? mq_absent : result;
}
