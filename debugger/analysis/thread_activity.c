/* thread_activity.c - activity of a thread, from the functions on its stack */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/thread_activity.h"

#include <string.h>

#include "base/text.h"
#include "mpi/call.h"
#include "mpi/libraries.h"

bool mq_is_no_call(const char *call)
{
    return strcmp(call, "-") == 0;
}

static bool is_exit(const struct mq_frame *frame)
{
    static const char *const names[] = { "exit", "_exit", "_Exit", "abort",
                                         "quick_exit" };

    for (size_t i = 0; frame->function != NULL
                       && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(frame->function, names[i]) == 0)
            return true;
    return false;
}

bool mq_is_exiting(const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;
    bool is_programs = false;

    for (size_t i = 0; process->thread_count > 0 && i < thread->frame_count;
         i++) {
        if (is_exit(&thread->frames[i]))
            return !is_programs || thread->frames[i].object == NULL;
        is_programs |= thread->frames[i].object == NULL;
    }
    return false;
}

/* Whether MPI libraries bring a library along, or any program has it. */
static bool is_brought_along(const char *object)
{
    return (mq_library_kind(object)
            & (mq_of_c_library | mq_of_cxx_library | mq_of_watch
               | mq_of_mpi_parts | mq_is_beneath)) != 0;
}

/* The frame that MPI has called back, or null.  The library of the call itself
 * may be a tool's, which comes before MPI's.
 */
static const struct mq_frame *called_back(const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;
    const char *own = process->thread_count > 0 && thread->site > 0
                      ? thread->frames[thread->site - 1].object : NULL;

    for (int32_t i = 0; process->thread_count > 0 && i < thread->site; i++) {
        const char *object = thread->frames[i].object;

        if (!thread->frames[i].in_mpi
            || (object != NULL && !mq_text_is_same(object, own)
                && !is_brought_along(object)))
            return &thread->frames[i];
    }
    return NULL;
}

bool mq_is_called_back(const struct mq_process *process)
{
    return called_back(process) != NULL;
}

static bool is_mpis(const struct mq_frame *frame)
{
    return (frame->function != NULL
            && (strncmp(frame->function, "MPI_", 4) == 0
                || strncmp(frame->function, "PMPI_", 5) == 0))
           || (frame->object != NULL
               && (mq_library_kind(frame->object) & mq_of_mpi) != 0);
}

const struct mq_frame *mq_callback(const struct mq_process *process)
{
    const struct mq_frame *it = called_back(process);
    const struct mq_frame *end = it == NULL ? NULL
                                 : process->threads->frames
                                   + process->threads->site;

    while (it < end && it->object != NULL)
        it++;
    return it < end ? it : NULL;
}

bool mq_calls_again(const struct mq_process *process)
{
    const struct mq_frame *end = called_back(process);
    const struct mq_frame *it = end == NULL ? NULL : process->threads->frames;

    while (it < end && !is_mpis(it))
        it++;
    return it < end;
}

bool mq_is_in_wrapper(const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;
    const char *own = process->thread_count > 0 && thread->site > 0
                      ? thread->frames[thread->site - 1].object : NULL;

    if (own == NULL || mq_library_kind(own) != 0)
        return false;
    for (int32_t i = 0; i < thread->site - 1; i++) {
        const struct mq_frame *it = &thread->frames[i];

        if (it->object == NULL || is_mpis(it)
            || (!mq_text_is_same(it->object, own)
                && (mq_library_kind(it->object) & mq_of_c_library) == 0))
            return false;
    }
    return true;
}

const struct mq_frame *mq_signal_handler(const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;
    int32_t end = mq_call_site(process) != NULL ? thread->site : 0;

    while (end > 0 && !mq_text_is_same(thread->frames[end].function,
                                       MQ_SIGNAL_FRAME))
        end--;
    for (int32_t i = 0; i < end; i++)
        if (is_mpis(&thread->frames[i]))
            return NULL;
    return end > 0 ? &thread->frames[end - 1] : NULL;
}

/* One of the C library's on files, as in "pwrite" or "__libc_pwrite64". */
static bool is_on_files(const struct mq_frame *frame)
{
    static const char *const names[] = { "read", "pread", "readv", "preadv",
                                         "write", "pwrite", "writev",
                                         "pwritev", "fsync", "fdatasync",
                                         "ftruncate", "open", "close" };
    const char *function = frame->function;

    if (function != NULL && *function == '_')
        function = strrchr(function, '_') + 1;
    for (size_t i = 0; function != NULL
                       && i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);

        if (strncmp(function, names[i], length) == 0
            && (function[length] == '\0'
                || strcmp(function + length, "64") == 0))
            return true;
    }
    return false;
}

bool mq_is_at_file(const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;

    if (process->call == NULL || strncmp(process->call, "MPI_File_", 9) != 0)
        return false;
    for (int32_t i = 0; process->thread_count > 0 && i < thread->site; i++)
        if (is_on_files(&thread->frames[i]))
            return true;
    return false;
}

bool mq_is_in_library(const struct mq_process *process)
{
    const struct mq_thread *thread = process->threads;

    for (size_t i = 0; process->thread_count > 0 && i < thread->frame_count;
         i++)
        if (thread->frames[i].in_mpi)
            return true;
    return false;
}

bool mq_is_starved(const struct mq_process *process)
{
    return process->activity.doing == mq_computing
           && process->activity.share == 0;
}

bool mq_is_asleep(const struct mq_process *process)
{
    const struct mq_activity *it = &process->activity;
    const int32_t busy = 10;    /* percent; a thread that polls now and then
                                   uses some */

    return (process->movement == mq_looks_equal
            || (process->movement == mq_counted_still
                && (mq_signal_handler(process) != NULL
                    || mq_is_called_back(process))))
           && (it->doing == mq_asleep
               || (it->doing == mq_computing && it->share > 0
                   && it->share < busy));
}

/* Whether the thread of a process is in a C library's function whose name has
 * PART in it, called by the program.
 */
static bool is_in_function(const struct mq_process *process, const char *part)
{
    const struct mq_thread *thread = process->threads;

    for (size_t i = 0; process->thread_count > 0 && i < thread->frame_count
                       && thread->frames[i].object != NULL; i++)
        if (thread->frames[i].function != NULL
            && strstr(thread->frames[i].function, part) != NULL)
            return true;
    return false;
}

bool mq_is_napping(const struct mq_process *process)
{
    return mq_is_asleep(process) && is_in_function(process, "nanosleep");
}

bool mq_is_yielding(const struct mq_process *process)
{
    return process->movement == mq_looks_equal
           && is_in_function(process, "_yield");
}

/* The outermost: those inside it are the libraries' own. */
const struct mq_frame *mq_lock_of(const struct mq_thread *thread)
{
    const struct mq_frame *lock = NULL;

    for (size_t i = 0; i < thread->frame_count && !thread->frames[i].in_mpi;
         i++) {
        if (mq_lock_kind(thread->frames[i].function) != mq_lock_none)
            lock = &thread->frames[i];
        if (thread->frames[i].object == NULL)
            break;
    }
    return lock;
}

bool mq_has_waiting_thread(const struct mq_process *process)
{
    for (size_t i = 1; i < process->thread_count; i++)
        if (mq_call_blocks(mq_call_wait(process->threads[i].call)))
            return true;
    return false;
}

const struct mq_frame *mq_thread_site(const struct mq_thread *thread)
{
    return thread->site < 0 || (size_t)thread->site >= thread->frame_count
           ? NULL : &thread->frames[thread->site];
}

const struct mq_frame *mq_call_site(const struct mq_process *process)
{
    return process->thread_count > 0 ? mq_thread_site(process->threads) : NULL;
}

const struct mq_frame *mq_line_caller(const struct mq_process *process)
{
    const struct mq_frame *site = mq_call_site(process);
    const struct mq_frame *end = site == NULL ? NULL
        : process->threads->frames + process->threads->frame_count;

    if (site == NULL || site->object == NULL || site->file != NULL
        || !mq_is_in_mpi(process->call))
        return NULL;
    for (const struct mq_frame *it = site + 1; it < end; it++)
        if (it->function != NULL && it->file != NULL && !it->in_mpi
            && (it->object == NULL || !is_brought_along(it->object)))
            return it;
    return NULL;
}

/* ---- The library function that a rank outside MPI is in ----------------- */

/* Whether functions of a library are on every program's stack, or mean nothing
 * to the program's author.
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
