/* read_process.c - reads one process completely
 *
 * One process read completely: the DLL's part, and what else is known.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "read/read_process.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "dll/call_walk.h"
#include "dll/predefined.h"
#include "dll/world_members.h"
#include "model/process_builder.h"

static const char only_call[] = "queues unavailable; only its call is known";

void mq_costs_add(struct mq_costs *costs, size_t walked,
                  const struct mq_dll_statistics *cost)
{
    costs->walked += walked;
    costs->total.fetches += cost->fetches;
    costs->total.failed_fetches += cost->failed_fetches;
    costs->total.bytes += cost->bytes;
    costs->total.lookups += cost->lookups;
    costs->total.allocations += cost->allocations;
}

/* A starter marks a process of this host as a rank. */
bool mq_read_is_rank(const struct mq_target *target)
{
    return target->world_size > 0
           || (target->pid == 0 && target->call != NULL
               && strncmp(target->call, "MPI_", 4) == 0);
}

/* ---- Queues ------------------------------------------------------------ */

/* The DLL knows no queues of the target, and ERROR is what it says of that. */
static enum mq_result fail_silent(const struct mq_dll *dll,
                                  const struct mq_target *target,
                                  struct mq_error *error)
{
    const struct mq_error own = *error;

    return mq_fail(error, "%s does not recognise the MPI library in %s%s%s%s; "
                   "%s",
                   dll->file, target->image, own.text[0] != '\0' ? " (" : "",
                   own.text, own.text[0] != '\0' ? ")" : "",
                   target->world_size > 0
                   ? "libmqwatch, which --launch preloads, would show them"
                   : "is it an MPI program, and has it called MPI_Init?");
}

/* A process, and the means to read its queues. */
struct reading {
    struct mq_dll_cache *dlls;
    struct mq_target *target;
    const struct mq_handle_wishes *wishes;
    struct mq_job *job;
    struct mq_costs *costs;
};

/* Walks the target with one DLL: mq_absent if that knows no queues of it. */
static enum mq_result walk_with(const struct reading *r, struct mq_dll *dll,
                                struct mq_error *error)
{
    mqs_image *image = NULL;
    mqs_process *process = NULL;
    struct mq_dll_statistics cost;
    enum mq_result result = mq_dll_cache_open(r->dlls, dll, r->target, error,
                                              &image);

    if (result == mq_ok)
        result = mq_dll_process_create(image, r->target, error, &process);
    if (result != mq_ok)
        return result;
    result = mq_dll_process_walk(process, r->job, error);
    if (result == mq_ok) {
        result = mq_read_complete(r->wishes, dll->file, r->target, r->job,
                                  error);
        if (result != mq_ok)
            mq_job_take_back(r->job);
    }
    mq_dll_process_statistics(process, &cost);
    mq_costs_add(r->costs, 1, &cost);
    mq_dll_process_destroy(process);
    return result;
}

/* Takes the process that was walked last back if nothing was found in it: so
 * DLLs find a rank that has not left MPI_Init, or is in MPI_Finalize.
 */
static bool is_taken_back(struct mq_job *job)
{
    const struct mq_process *last = &job->processes[job->process_count - 1];

    if (last->communicator_count > 0 || last->remark_count > 0)
        return false;
    mq_job_take_back(job);
    return true;
}

/* Walks the target with the first of this program's own DLLs that knows its
 * queues.  Why others cannot read them is added to *SAID, unless OWN says the
 * same.  mq_absent: one can, and there are no communicators.
 */
static enum mq_result walk_with_readers(const struct reading *r,
                                        const struct mq_error *own,
                                        struct mq_error *said)
{
    struct mq_dll_cache *dlls = r->dlls;
    enum mq_result best = mq_failed;

    mq_dll_cache_load_readers(dlls);
    for (size_t i = 0; i < dlls->reader_count; i++) {
        const struct mq_error before = *said;
        struct mq_error why;
        enum mq_result result = walk_with(r, dlls->readers[i], &why);

        if (result == mq_ok && !is_taken_back(r->job))
            return mq_ok;
        if (result == mq_ok) {
            mq_fail(&why, "it finds no communicators");
            best = mq_absent;
        }
        if (result != mq_absent && strcmp(why.text, own->text) != 0)
            mq_fail(said, "%s; %s: %.*s", before.text,
                    mq_text_last_name(dlls->readers[i]->file),
                    (int)sizeof why.text / 4, why.text);
    }
    return best;
}

/* Walks the target with the DLL that was chosen for it; mq_absent: that finds
 * no communicators.
 */
static enum mq_result walk_with_chosen(const struct reading *r,
                                       struct mq_dll *dll,
                                       struct mq_error *error)
{
    enum mq_result result = walk_with(r, dll, error);

    if (result == mq_ok && mq_read_is_rank(r->target)
        && is_taken_back(r->job)) {
        mq_fail(error, "%s finds no communicators", dll->file);
        return mq_absent;
    }
    return result == mq_absent ? fail_silent(dll, r->target, error) : result;
}

/* Walks the target with the DLL that was chosen for it or, if that shows
 * nothing, with one of this program's own; mq_absent: all that can be read of
 * them is that there are none.
 */
static enum mq_result read_queues(const struct reading *r, struct mq_dll *dll,
                                  struct mq_error *error)
{
    struct mq_error said = { "" }, own;
    enum mq_result first = walk_with_chosen(r, dll, &own), result = first;

    if (first != mq_ok)
        result = walk_with_readers(r, &own, &said);
    if (result == mq_ok)
        return mq_ok;
    mq_fail(error, "%.*s%s", (int)sizeof own.text / 2, own.text, said.text);
    return first == mq_absent ? mq_absent : result;
}

/* ---- Calls ------------------------------------------------------------- */

/* Whether TARGET counts as a rank if it says itself that its queues are not to
 * be shown, or that an impossible DLL shows them, as for ranks of MPICH 1.x
 * that have no number from a starter.
 */
static bool may_be_rank(const struct mq_target *target)
{
    return mq_read_is_rank(target) || target->rank >= 0
           || (target->call != NULL && strncmp(target->call, "MPI_", 4) == 0);
}

/* Whether TARGET has not loaded MPI. */
static bool lacks_mpi(struct mq_target *target)
{
    static const char *const names[] = { "MPI_Init", "PMPI_Init", "mpi_init_" };
    struct mq_error ignored;
    uint64_t address;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (mq_target_find_function(target, names[i], &ignored, &address)
            != mq_absent)
            return false;
    return true;
}

/* Adds what the call of TARGET, a rank, shows where its queues do not; *ERROR
 * says why they do not.  IS_EMPTY: it has no communicators.
 */
static enum mq_result read_call(struct mq_target *target, bool is_empty,
                                struct mq_job *job, struct mq_error *error)
{
    struct mq_error why;
    char remark[sizeof error->text + 160];
    bool is_outside = target->call != NULL && strcmp(target->call, "-") == 0;
    enum mq_result result;

    snprintf(remark, sizeof remark, "%s (%s)", only_call, error->text);
    result = mq_call_walk(target, is_outside && (is_empty || lacks_mpi(target))
                                  ? NULL : remark, job, &why);
    if (result == mq_failed)
        *error = why;
    return result;
}

/* ---- Worlds ------------------------------------------------------------- */

/* Adds to PROCESS, which is TARGET, the members of its communicators that are
 * of other worlds, if one of this program's own DLLs knows them.
 */
static enum mq_result add_members(struct mq_dll_cache *dlls,
                                  struct mq_target *target,
                                  struct mq_process *process,
                                  struct mq_error *error)
{
    enum mq_result result = mq_absent;

    mq_dll_cache_load_readers(dlls);
    for (size_t i = 0; i < dlls->reader_count && result == mq_absent; i++) {
        mqs_image *image;
        struct mq_error why;

        if (mq_dll_cache_open(dlls, dlls->readers[i], target, &why, &image)
            == mq_ok)
            result = mq_dll_add_members(image, target, process, error);
    }
    return result == mq_absent ? mq_ok : result;
}

/* ---- Processes --------------------------------------------------------- */

enum mq_result mq_read_choose(struct mq_dll_cache *dlls,
                              const struct mq_dll_choice *choice,
                              struct mq_target *target, struct mq_error *error,
                              struct mq_dll **dll)
{
    enum mq_result result = mq_dll_cache_choose(dlls, choice, target, error,
                                                dll);

    if (result == mq_ok || !may_be_rank(target))
        return result;
    if (choice->logger != NULL)
        mq_log(choice->logger, mq_verbose, "%s", error->text);
    *dll = NULL;
    return mq_ok;
}

enum mq_result mq_read_with(struct mq_dll_cache *dlls, struct mq_dll *dll,
                            struct mq_target *target,
                            const struct mq_handle_wishes *wishes,
                            struct mq_job *job, struct mq_error *error,
                            struct mq_costs *costs)
{
    const struct reading r = { dlls, target, wishes, job, costs };
    struct mq_process *process;
    enum mq_result result = dll == NULL ? mq_failed
                            : read_queues(&r, dll, error);

    if (result != mq_ok && (dll == NULL || mq_read_is_rank(target)))
        result = read_call(target, result == mq_absent, job, error);
    if (result != mq_ok)
        return mq_failed;
    process = &job->processes[job->process_count - 1];
    result = mq_predefined_annotate(target, process, error);
    if (result == mq_ok && wishes->worlds)
        result = add_members(dlls, target, process, error);
    if (result != mq_ok)
        mq_job_take_back(job);
    return result;
}

enum mq_result mq_read_process(struct mq_dll_cache *dlls,
                               const struct mq_dll_choice *choice,
                               struct mq_target *target,
                               const struct mq_handle_wishes *wishes,
                               struct mq_job *job, struct mq_error *error,
                               struct mq_costs *costs)
{
    struct mq_dll *dll;

    return mq_read_choose(dlls, choice, target, error, &dll) != mq_ok
           ? mq_failed
           : mq_read_with(dlls, dll, target, wishes, job, error, costs);
}

void mq_read_settle(const struct mq_target *target, struct mq_process *process)
{
    mq_process_set_looks(process, &target->looks);
    process->activity = target->activity;
    process->handler = target->handler;
    /* A process that moves will be at a place where its queues are not needed.
     */
    for (size_t i = 0; i < process->remark_count; i++) {
        struct mq_remark *it = &process->remarks[i];

        it->is_error &= process->movement != mq_moved
                        || strncmp(it->text, only_call,
                                   strlen(only_call)) != 0;
    }
}
