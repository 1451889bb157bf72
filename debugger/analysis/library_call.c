/* library_call.c - the library function that a rank outside MPI is in */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/library_call.h"

#include "analysis/thread_activity.h"
#include "mpi/libraries.h"

/* Whether a library is one of which every program has functions on its stack,
 * or whose functions are no names to the program's author.
 */
static bool is_plumbing(const char *object)
{
    int kind = mq_library_kind(object);

    return (kind & (mq_of_c_library | mq_of_cxx_library | mq_of_mpi_parts
                    | mq_of_watch | mq_of_python)) != 0
           || (kind & (mq_of_pool | mq_does_work)) == mq_of_pool;
}

/* The source of a library on which programs are built is not the program's. */
static bool is_programs(const struct mq_frame *frame)
{
    return frame->object == NULL
           || (frame->file != NULL && mq_library_kind(frame->object) == 0);
}

struct mq_called mq_called_find(const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;
    struct mq_called found = { NULL, NULL, mq_waiting_nobody };
    size_t count = process->thread_count > 0 && process->call != NULL
                   && !mq_is_in_mpi(process->call) ? thread->frame_count : 0;
    size_t own = 0;

    for (size_t i = count; i-- > 0 && found.waiting == mq_waiting_nobody;) {
        const struct mq_frame *it = &thread->frames[i];

        if (it->function == NULL || (it->object == NULL && it->file != NULL))
            continue;
        found.waiting = mq_waiting_in(it->object, it->function);
        found.function = found.waiting != mq_waiting_nobody ? it : NULL;
    }
    if (found.function != NULL)
        own = (size_t)(found.function - thread->frames) + 1;
    while (own < count && !is_programs(&thread->frames[own]))
        own++;
    found.caller = own < count ? &thread->frames[own] : NULL;
    for (size_t i = own; own < count && i-- > 0 && found.function == NULL;) {
        const struct mq_frame *it = &thread->frames[i];

        if (it->function != NULL && !is_plumbing(it->object))
            found.function = it;
    }
    if (found.function == NULL)
        found.caller = NULL;
    return found;
}

bool mq_waits_past_mpi(const struct mq_process *process)
{
    return mq_called_find(process).waiting == mq_waiting_peers;
}
