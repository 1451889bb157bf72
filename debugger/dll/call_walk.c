/* call_walk.c - contents of a process from its call stack, without a DLL */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/call_walk.h"

#include <string.h>

#include "dll/concurrent_callers.h"
#include "dll/predefined.h"
#include "find/facts.h"
#include "model/awaited.h"
#include "model/process_builder.h"

enum { most_ranks = 1 << 26 };

/* MPI_COMM_WORLD is communicator 0 of the process; nothing is known of any
 * other.
 */
struct call_resolver {
    struct mq_resolver resolver;
    struct mq_target *target;
    bool has_numbers;           /* for handles */
    uint64_t world;             /* its handle */
};

static enum mq_result resolve_communicator(struct mq_resolver *base,
                                           const struct mq_process *process,
                                           uint64_t handle,
                                           struct mq_error *error,
                                           size_t *index)
{
    const struct call_resolver *resolver = (struct call_resolver *)base;

    (void)error;
    if (process->communicator_count == 0 || handle != resolver->world)
        return mq_absent;
    *index = 0;
    return mq_ok;
}

static enum mq_result resolve_request(struct mq_resolver *base,
                                      const struct mq_process *process,
                                      uint64_t handle, struct mq_error *error,
                                      uint32_t *operation)
{
    (void)base;
    (void)process;
    (void)handle;
    (void)error;
    (void)operation;
    return mq_absent;
}

static enum mq_result resolve_datatype(struct mq_resolver *base,
                                       uint64_t handle, struct mq_error *error,
                                       uint64_t *size)
{
    const struct call_resolver *resolver = (struct call_resolver *)base;
    const char *name;

    return mq_predefined_datatype(resolver->target, resolver->has_numbers,
                                  handle, error, &name, size);
}

static enum mq_result make_resolver(struct mq_target *target,
                                    const struct mq_process *process,
                                    struct mq_error *error,
                                    struct call_resolver *resolver)
{
    static const struct mq_resolver functions = {
        resolve_communicator, resolve_request, resolve_datatype, 0, false
    };

    resolver->resolver = functions;
    resolver->target = target;
    if (mq_predefined_world(target, error, &resolver->has_numbers,
                            &resolver->world) != mq_ok)
        return mq_failed;
    resolver->resolver.proc_null = mq_predefined_proc_null(
        process, resolver->has_numbers);
    return mq_ok;
}

/* Adds MPI_COMM_WORLD, whose queues are not known, if its size is. */
static enum mq_result add_world(const struct mq_target *target,
                                uint64_t handle, struct mq_job *job,
                                struct mq_error *error,
                                struct mq_process *process)
{
    struct mq_communicator world = {
        .id = handle, .local_rank = target->rank, .size = target->world_size
    };
    const struct mq_run all = { 0, 0, target->world_size, 1 };

    if (target->world_size == 0)
        return mq_ok;
    for (int queue = 0; queue < mq_queue_classes; queue++)
        world.queues[queue].state = mq_absent;
    if (mq_job_string(job, "MPI_COMM_WORLD", error, &world.name) != mq_ok
        || (target->world_size >= 1 && target->world_size <= most_ranks
            && mq_job_group_of_runs(job, &all, 1, error, &world.group)
               != mq_ok))
        return mq_failed;
    return mq_process_add_communicator(process, &world, error);
}

/* The peers of a rank that has moved do not matter: it goes on. */
static enum mq_result add_remark(const char *why, struct mq_job *job,
                                 struct mq_error *error,
                                 struct mq_process *process)
{
    const struct mq_remark remark = {
        why, process->movement != mq_moved
             && process->awaiting == mq_awaiting_unknown
             && mq_awaited_is_of(process->call), -1, -1
    };

    return mq_process_remark(process, job, &remark, error);
}

static enum mq_result fill(struct mq_target *target, const char *why,
                           struct mq_job *job, struct mq_error *error,
                           struct mq_process *process)
{
    struct call_resolver resolver;

    if (mq_facts_take(target, target->rank, job, error, process) != mq_ok
        || make_resolver(target, process, error, &resolver) != mq_ok
        || (why != NULL && add_world(target, resolver.world, job, error,
                                     process) != mq_ok)
        || mq_awaited_find(process, &resolver.resolver, error) != mq_ok)
        return mq_failed;
    return why != NULL && add_remark(why, job, error, process) != mq_ok
           ? mq_failed
           : mq_concurrent_callers_find(target, &resolver.resolver, true, job,
                                        process, error);
}

enum mq_result mq_call_walk(struct mq_target *target, const char *why,
                            struct mq_job *job, struct mq_error *error)
{
    struct mq_process made;
    enum mq_result result;

    if (target->thread_count == 0 || target->call == NULL
        || target->threads[0].frame_count == 0)
        return mq_absent;
    memset(&made, 0, sizeof made);
    result = fill(target, why, job, error, &made);
    if (result == mq_ok)
        result = mq_job_add(job, &made, error);
    if (result != mq_ok)
        mq_process_deinit(&made);
    return result;
}
