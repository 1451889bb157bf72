/* concurrent_callers.c - threads that may call MPI concurrently */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/concurrent_callers.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/process_builder.h"

enum mq_result mq_concurrent_callers_note(struct mq_job *job,
                                          struct mq_process *process,
                                          uint32_t count,
                                          struct mq_error *error)
{
    char text[128];
    const struct mq_remark remark = { text, false, -1, -1 };

    process->concurrent_callers = 0;
    if (count == 0)
        return mq_ok;
    snprintf(text, sizeof text, "%" PRIu32 " more of its threads may call MPI"
             " at any time: nothing about this rank is certain", count);
    if (mq_process_remark(process, job, &remark, error) != mq_ok)
        return mq_failed;
    process->concurrent_callers = count;
    return mq_ok;
}

/* Open MPI says which level of threads it provides; MPICH keeps that to itself.
 */
bool mq_lets_others_in(struct mq_target *target, bool is_inside,
                       bool if_unknown)
{
    const uint64_t serialized = 2, multiple = 3;    /* MPI_THREAD_ of MPI's */
    struct mq_error ignored;
    uint64_t address, level;

    if (mq_target_find_symbol(target, "ompi_mpi_thread_provided", &ignored,
                              &address) != mq_ok
        || mq_target_read_unsigned(target, address, 4, &ignored, &level)
           != mq_ok)
        return if_unknown;
    return level >= (is_inside ? multiple : serialized);
}

/* Whether its MPI call has called the program back, or a signal has come. */
static bool is_called_back(const struct mq_thread *thread)
{
    for (int32_t i = 0; i < thread->site; i++)
        if (!thread->frames[i].in_mpi)
            return true;
    return false;
}

/* Adds what the threads in MPI wait for, and counts those for which that is not
 * known and those outside.
 */
static enum mq_result count_concurrent_callers(const struct mq_target *target,
                                               struct mq_resolver *resolver,
                                               struct mq_process *process,
                                               struct mq_error *error,
                                               uint32_t *count)
{
    for (size_t i = 1; i < target->thread_count; i++) {
        const struct mq_thread *thread = &target->threads[i];
        enum mq_result result =
            mq_thread_follows(target->threads, target->thread_count, i) ? mq_ok
            : is_called_back(thread) ? mq_absent
            : mq_awaited_add(process, thread, resolver, error);

        if (result == mq_failed)
            return mq_failed;
        *count += result == mq_absent;
    }
    return mq_ok;
}

enum mq_result mq_concurrent_callers_find(struct mq_target *target,
                                          struct mq_resolver *resolver,
                                          bool if_unknown, struct mq_job *job,
                                          struct mq_process *process,
                                          struct mq_error *error)
{
    uint32_t count = 0;

    if (target->thread_count < 2
        || !mq_lets_others_in(target, mq_is_in_mpi(target->threads[0].call),
                              if_unknown))
        return mq_ok;
    return count_concurrent_callers(target, resolver, process, error,
                                    &count) != mq_ok
           ? mq_failed : mq_concurrent_callers_note(job, process, count, error);
}
