/* current_collective.c - the collective operation that each rank is in */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/current_collective.h"

#include "mpi/adapters.h"

bool mq_call_argument(const struct mq_process *process, const char *name,
                      int64_t *value)
{
    return process->thread_count > 0
           && mq_thread_value(process->threads, name, value);
}

bool mq_collective_has_data(const struct mq_process *process)
{
    static const char *const counts[] = { "count", "sendcount", "recvcount" };
    int64_t count;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (mq_call_argument(process, counts[i], &count) && count <= 0)
            return false;
    return true;
}

bool mq_collective_needs_all(const struct mq_process *process)
{
    enum mq_participants participants = mq_call_participants(process->call);
    int64_t handle;

    return (participants == mq_participants_all
            || (participants == mq_participants_data
                && mq_collective_has_data(process)))
           && mq_call_argument(process, "comm", &handle);
}

bool mq_is_call_alone(const struct mq_process *process)
{
    for (size_t i = 0; i < process->communicator_count; i++)
        for (int class = 0; class < mq_queue_classes; class++)
            if (process->communicators[i].queues[class].state != mq_absent)
                return false;
    return process->thread_count > 0;
}

/* The communicator that the library's own pending operations are for. */
static uint32_t collective_of_operations(const struct mq_match_table *table,
                                         size_t p)
{
    const struct mq_job *job = table->job;
    struct mq_operation_ref ref = mq_operation_ref_before(p);

    while (mq_operation_ref_next(job, &ref)) {
        if (ref.queue == mq_unexpected || !mq_is_internal(table, &ref)
            || mq_operation_ref_operation(job, &ref)->status != mq_pending)
            continue;
        if (!mq_match_is_internal(table->match, p, ref.communicator))
            return ref.communicator;
        return ref.communicator > 0 ? ref.communicator - 1 : MQ_NO_COLLECTIVE;
    }
    return MQ_NO_COLLECTIVE;
}

/* Whether the argument HANDLE of a call is the communicator's: an MPI has the
 * handle as its id, or a DLL gives it; those of MPICH have 32 bits.
 */
static bool is_handle_of(int64_t handle, const struct mq_communicator *it)
{
    return it->id == (uint64_t)handle
           || (it->handle != 0 && (it->handle == (uint64_t)handle
                                   || it->handle == (uint32_t)handle))
           || mq_adapter_is_predefined(handle, it->name);
}

static uint32_t collective_of_argument(const struct mq_match_table *table,
                                       size_t p)
{
    const struct mq_process *process = &table->job->processes[p];
    int64_t handle;

    if (!mq_call_argument(process, "comm", &handle))
        return MQ_NO_COLLECTIVE;
    for (uint32_t c = 0; c < process->communicator_count; c++)
        if (!mq_match_is_internal(table->match, p, c)
            && is_handle_of(handle, &process->communicators[c]))
            return c;
    return MQ_NO_COLLECTIVE;
}

/* The only communicator on which a collective operation can wait. */
static uint32_t only_collective(const struct mq_match_table *table, size_t p)
{
    const struct mq_process *process = &table->job->processes[p];
    uint32_t found = MQ_NO_COLLECTIVE;

    if (mq_is_call_alone(process) || mq_process_notes_calls(process))
        return MQ_NO_COLLECTIVE;  /* it may have others, or would name it */
    for (uint32_t c = 0; c < process->communicator_count; c++) {
        if (mq_match_is_internal(table->match, p, c)
            || process->communicators[c].size < 2)
            continue;
        if (found != MQ_NO_COLLECTIVE)
            return MQ_NO_COLLECTIVE;
        found = c;
    }
    return found;
}

/* Whether the process is in a call that waits for its members and others, such
 * as MPI_Comm_spawn.
 */
static bool needs_others_too(const struct mq_process *process)
{
    return mq_call_participants(process->call) == mq_participants_beyond;
}

uint32_t mq_current_collective(const struct mq_match_table *table, size_t p)
{
    bool is_collective = table->calls[p] == mq_wait_collective;
    uint32_t collective =
        is_collective || needs_others_too(&table->job->processes[p])
        ? collective_of_argument(table, p) : MQ_NO_COLLECTIVE;

    if (is_collective && collective == MQ_NO_COLLECTIVE)
        collective = collective_of_operations(table, p);
    if (is_collective && collective == MQ_NO_COLLECTIVE)
        collective = only_collective(table, p);
    return collective;
}
