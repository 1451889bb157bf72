/* holders.c - atoms of resources that ranks outside MPI wait for
 *
 *   evidence: the chain of holders that begins
 *   at the first thread ends                        atoms
 *   at a rank of the job                            that rank, missing
 *   at a thread that is in the chain already, or    the rank itself, missing
 *     at a lock that nobody can release
 *   at a holder that is unknown or no rank, at a    none: the rank runs
 *     thread that goes on, or in MPI, or that naps
 *     and may poll for a file lock
 *
 * The reader believes a holder by two witnesses only.  Any thread of the
 * process that goes on may unlock a lock, although POSIX wants its owner to, so
 * that beside one nothing is proven (unlocked_by_other).  Nor is it if the rank
 * that holds the resource has one: that may release it, whatever the rank waits
 * for (released_by_other); nor at a pipe with a name in the file system, which
 * any process may open at its other end (opened_by_other).  The rank stays
 * where it is if its call is counted not to have returned.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/holders.h"

#include <string.h>

#include "analysis/atoms.h"
#include "analysis/thread_activity.h"

const struct mq_thread *mq_holding_thread(const struct mq_process *process,
                                          const struct mq_resource *it)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (it->holder == mq_holder_thread && it->thread != 0
            && process->threads[i].number == it->thread)
            return &process->threads[i];
    return NULL;
}

/* The end of the chain from the first thread of a process, which is outside
 * MPI, by the holders of what each thread waits for.
 */
enum mq_chain_end {
    mq_chain_none,              /* it waits for no resource, or a thread of its
                                   process goes on or is in MPI */
    mq_chain_open,              /* at a resource whose holder is unknown, or no
                                   rank of the job */
    mq_chain_beyond,            /* at another rank */
    mq_chain_inside             /* at a thread that is in it already, or at a
                                   lock that nobody can release */
};

/* LAST is the last thread that waits; untouched if there is none. */
static enum mq_chain_end chain_of(const struct mq_process *process,
                                  const struct mq_thread **last)
{
    const struct mq_thread *thread = process->threads;

    if (process->thread_count == 0 || process->call == NULL
        || !mq_is_no_call(process->call)
        || !mq_resource_holds_up(&thread->resource))
        return mq_chain_none;
    for (size_t i = 0; i <= process->thread_count; i++) {
        const struct mq_resource *it = &thread->resource;
        const struct mq_thread *holder;

        *last = thread;
        if (it->holder == mq_holder_nobody)
            return mq_chain_inside;
        if (it->holder == mq_holder_process)
            return it->rank >= 0 && it->rank != process->rank ? mq_chain_beyond
                                                              : mq_chain_open;
        holder = mq_holding_thread(process, it);
        if (holder == NULL)
            return mq_chain_open;
        if (!mq_resource_holds_up(&holder->resource))
            return mq_chain_none;
        thread = holder;
    }
    return mq_chain_inside;
}

enum mq_resource_kind mq_held_resource(const struct mq_process *process)
{
    for (size_t i = 1; i < process->thread_count; i++) {
        const struct mq_resource *it = &process->threads[i].resource;

        if (it->holder == mq_holder_thread && it->kind != mq_resource_thread
            && it->thread == process->threads->number)
            return it->kind;
    }
    return mq_resource_none;
}

/* Whether a lock is waited for, and some thread does not wait itself. */
static bool may_be_unlocked(const struct mq_process *process)
{
    bool has_lock = false, goes_on = false;

    for (size_t i = 0; i < process->thread_count; i++) {
        const struct mq_resource *it = &process->threads[i].resource;

        has_lock |= it->kind == mq_resource_mutex
                    || it->kind == mq_resource_rwlock;
        goes_on |= !mq_resource_holds_up(it);
    }
    return has_lock && goes_on;
}

/* Whether a thread beside the one that represents a process goes on: it is
 * outside MPI, and waits for no other thread of the process.  What those in MPI
 * wait for is among the process's own needs.
 */
static bool has_free_thread(const struct mq_process *process)
{
    for (size_t i = 1; i < process->thread_count; i++)
        if (!mq_is_in_mpi(process->threads[i].call)
            && !mq_thread_follows(process->threads, process->thread_count, i)
            && mq_holding_thread(process, &process->threads[i].resource)
               == NULL)
            return true;
    return false;
}

/* Whether it is a pipe whose file others can still open. */
static bool has_file(const struct mq_resource *it)
{
    static const char deleted[] = " (deleted)";
    const size_t end = sizeof deleted - 1;
    size_t length = it->name == NULL ? 0 : strlen(it->name);

    return it->kind == mq_resource_pipe && length > 0
           && strchr(it->name, '/') != NULL
           && (length < end || strcmp(it->name + length - end, deleted) != 0);
}

enum mq_result mq_add_resource(struct mq_builder *b, struct mq_error *error)
{
    const struct mq_operation_ref ref = { b->self, 0, 0, mq_need_resource };
    const struct mq_thread *last;
    enum mq_chain_end chain = chain_of(mq_self(b), &last);
    uint32_t node = b->self, holder;

    if (chain == mq_chain_beyond) {
        struct mq_process_ref its = mq_rank_process(b->table->ranks,
                                                    last->resource.rank);

        node = mq_waits_node(its);
        if (mq_is_process(its, &holder)
            && has_free_thread(&b->job->processes[holder]))
            mq_doubt(b, mq_reason_released_by_other);
    } else if (chain == mq_chain_inside && may_be_unlocked(mq_self(b)))
        mq_doubt(b, mq_reason_unlocked_by_other);
    if (chain != mq_chain_inside && chain != mq_chain_beyond)
        return mq_ok;
    if (has_file(&last->resource))
        mq_doubt(b, mq_reason_opened_by_other);
    return mq_add_need(b, &ref, node, mq_value_missing, error);
}

bool mq_waits_for_resource(const struct mq_builder *b)
{
    return mq_has_needs(b)
           && b->needs[b->first].ref.queue == mq_need_resource;
}
