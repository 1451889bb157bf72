/* Marks are set where gdb holds a process, and set back without gdb, which may
 * be gone by then.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/mark.h"

#include <string.h>

#include "include/mpi2dd.h"
#include "target/gdb.h"
#include "target/memory.h"

static bool is_starting(const struct mq_target *target)
{
    return target->call != NULL && strncmp(target->call, "MPI_Init", 8) == 0;
}

static enum mq_result set(struct mq_target *target, struct mq_error *error,
                          struct mq_debug_mark *mark)
{
    enum mq_result result = mq_words_find(target, error, &mark->words);

    if (result == mq_ok)
        result = mq_words_set(&mark->words, target, MPI2DD_FLAG_BEING_DEBUGGED,
                              error, &mark->change);
    return result;
}

void mq_mark_begin(struct mq_target *target, int pid,
                   const struct mq_read_options *how,
                   struct mq_debug_mark *mark)
{
    struct mq_debug_mark made = {
        .byte_order = target->byte_order, .sizes = target->sizes
    };
    struct mq_error error;

    if (!how->marks || pid == 0 || is_starting(target))
        return;
    if (set(target, &error, &made) == mq_failed)
        mq_tell(how->choice.teller, mq_warning, "%s: it is not told that it is "
                "being debugged: %s", target->name, error.text);
    if (made.change.variables == 0 && made.change.flags == 0)
        return;
    made.pid = pid;
    *mark = made;
    target->late_sends = true;
    mq_tell(how->choice.teller, mq_story, "ranks that were not told to "
            "remember their sends are told so while they are looked at "
            "(MPIR_being_debugged); --no-write forbids that");
}

void mq_mark_end(struct mq_debug_mark *mark, struct mq_teller *teller)
{
    const struct mq_target like = {
        .byte_order = mark->byte_order, .sizes = mark->sizes
    };
    struct mq_target *memory;
    struct mq_error error;
    enum mq_result result;

    if (mark->pid == 0)
        return;
    result = mq_memory_open(mark->pid, &like, &error, &memory);
    if (result == mq_ok) {
        result = mq_words_reset(&mark->words, memory, &mark->change, &error);
        mq_target_destroy(memory);
    }
    if (result != mq_ok && !mq_gdb_has_ended(mark->pid))
        mq_tell(teller, mq_warning, "%s, so it goes on as if it were debugged",
                error.text);
    mark->pid = 0;
}
