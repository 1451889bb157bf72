/* From targets to a job: the DLL's part, and what it costs. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/read/reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpis/call_walk.h"
#include "mpis/classes.h"
#include "mpis/predefined.h"

enum mq_result mq_reading_init(struct mq_reading *reading, const char *ranks,
                               struct mq_error *error)
{
    memset(reading, 0, sizeof *reading);
    reading->ranks.next = reading->ranks.text = ranks;
    return mq_job_create(error, &reading->job);
}

void mq_reading_deinit(struct mq_reading *reading)
{
    mq_job_destroy(reading->job);
    free(reading->leads);
}

/* ---- Costs ------------------------------------------------------------- */

static void tell_statistics(const char *name,
                            const struct mq_dll_statistics *cost)
{
    fprintf(stderr, "%s: %" PRIu64 " fetches, %" PRIu64 " failed, %" PRIu64
            " bytes, %" PRIu64 " look-ups, %" PRIu64 " allocations\n", name,
            cost->fetches, cost->failed_fetches, cost->bytes, cost->lookups,
            cost->allocations);
}

static void add_costs(struct mq_costs *costs, size_t walked,
                      const struct mq_dll_statistics *cost)
{
    costs->walked += walked;
    costs->total.fetches += cost->fetches;
    costs->total.failed_fetches += cost->failed_fetches;
    costs->total.bytes += cost->bytes;
    costs->total.lookups += cost->lookups;
    costs->total.allocations += cost->allocations;
}

void mq_reading_add_costs(struct mq_reading *reading,
                          const struct mq_read_options *options,
                          const char *name, const struct mq_costs *costs)
{
    add_costs(&reading->costs, costs->walked, &costs->total);
    if (options->stats && costs->walked > 0)
        tell_statistics(name, &costs->total);
}

void mq_reading_tell_total(const struct mq_reading *reading)
{
    char name[64];

    snprintf(name, sizeof name, "total of %zu process%s", reading->costs.walked,
             reading->costs.walked == 1 ? "" : "es");
    tell_statistics(name, &reading->costs.total);
}

/* ---- Walks ------------------------------------------------------------- */

static enum mq_result walk_process(mqs_image *image, const char *queues,
                                   struct mq_target *target,
                                   const struct mq_handle_wishes *wishes,
                                   struct mq_job *job, struct mq_error *error,
                                   struct mq_costs *costs)
{
    mqs_process *process = NULL;
    struct mq_dll_statistics cost;
    enum mq_result result = mq_dll_process_create(image, target, error,
                                                  &process);

    if (result != mq_ok)
        return result;
    result = mq_dll_process_walk(process, job, error);
    if (result == mq_ok)
        result = mq_handle_wishes_meet(wishes, queues, target, job, error);
    mq_dll_process_statistics(process, &cost);
    add_costs(costs, 1, &cost);
    mq_dll_process_destroy(process);
    return result;
}

static enum mq_result annotate(struct mq_target *target, struct mq_job *job,
                               struct mq_error *error)
{
    return mq_predefined_annotate(
        target, &job->processes[job->process_count - 1], error);
}

/* A starter tells a process of this host that it is a rank. */
bool mq_read_is_rank(const struct mq_target *target)
{
    return target->world_size > 0
           || (target->pid == 0 && target->call != NULL
               && strncmp(target->call, "MPI_", 4) == 0);
}

static const char only_call[] = "only its call is known, not its queues";

/* Who moves will be where its queues can be done without. */
void mq_read_settle(struct mq_process *process)
{
    for (size_t i = 0; i < process->remark_count; i++) {
        struct mq_remark *it = &process->remarks[i];

        it->is_error &= process->movement != mq_moved
                        || strncmp(it->text, only_call,
                                   strlen(only_call)) != 0;
    }
}

enum mq_result mq_read_call(struct mq_target *target, struct mq_job *job,
                            struct mq_error *error)
{
    struct mq_error why;
    char remark[sizeof error->text + 160];
    enum mq_result result;

    if (!mq_read_is_rank(target))
        return mq_failed;
    snprintf(remark, sizeof remark, "%s (%s)", only_call, error->text);
    result = mq_call_walk(target, remark, job, &why);
    if (result == mq_ok)
        return annotate(target, job, error);
    if (result == mq_failed)
        *error = why;
    return mq_failed;
}

bool mq_read_is_open_mpis(const char *dll)
{
    static const char open_mpi[] = "libompi_dbg_msgq";
    const char *slash = strrchr(dll, '/');
    const char *name = slash != NULL ? slash + 1 : dll;

    return strncmp(name, open_mpi, strlen(open_mpi)) == 0;
}

/* The DLL knows no queues of the target, and ERROR is what it says of that. */
static enum mq_result fail_silent(const struct mq_dll *dll,
                                  const struct mq_target *target,
                                  struct mq_error *error)
{
    const struct mq_error own = *error;

    return mq_fail(error, "%s holds no message queues that %s knows%s%s%s; %s",
                   target->image, dll->file, own.text[0] != '\0' ? " (" : "",
                   own.text, own.text[0] != '\0' ? ")" : "",
                   target->world_size > 0
                   ? "libmqwatch, which --launch preloads, would tell them"
                   : "is it an MPI program, and has it called MPI_Init?");
}

/* Walks TARGET with one DLL: mq_absent if that knows no queues of it. */
static enum mq_result walk_with(struct mq_dll_cache *dlls, struct mq_dll *dll,
                                struct mq_target *target,
                                const struct mq_handle_wishes *wishes,
                                struct mq_job *job, struct mq_error *error,
                                struct mq_costs *costs)
{
    mqs_image *image = NULL;
    enum mq_result result = mq_dll_cache_open(dlls, dll, target, error,
                                              &image);

    return result != mq_ok ? result
           : walk_process(image, dll->file, target, wishes, job, error, costs);
}

/* Takes the process that was walked last back if nothing was found in it: so
 * these readers find a rank that is in MPI_Finalize.
 */
static bool is_taken_back(struct mq_job *job)
{
    struct mq_process *last = &job->processes[job->process_count - 1];

    if (last->communicator_count > 0 || last->remark_count > 0)
        return false;
    mq_process_deinit(last);
    job->process_count--;
    return true;
}

/* Walks TARGET with the first of this program's own DLLs that knows its queues.
 * Why others cannot read them is added to *SAID.
 */
static enum mq_result walk_with_readers(struct mq_dll_cache *dlls,
                                        struct mq_target *target,
                                        const struct mq_handle_wishes *wishes,
                                        struct mq_job *job,
                                        struct mq_error *said,
                                        struct mq_costs *costs)
{
    mq_dll_cache_load_readers(dlls);
    for (size_t i = 0; i < dlls->reader_count; i++) {
        const char *file = dlls->readers[i]->file, *slash = strrchr(file, '/');
        const struct mq_error before = *said;
        struct mq_error why;
        enum mq_result result = walk_with(dlls, dlls->readers[i], target,
                                          wishes, job, &why, costs);

        if (result == mq_ok && !is_taken_back(job))
            return mq_ok;
        if (result == mq_ok)
            mq_fail(&why, "it finds no communicators");
        if (result != mq_absent)
            mq_fail(said, "%s; %s: %.*s", before.text,
                    slash != NULL ? slash + 1 : file,
                    (int)sizeof why.text / 4, why.text);
    }
    return mq_failed;
}

/* Walks TARGET with the DLL that was chosen for it. */
static enum mq_result walk_with_chosen(struct mq_dll_cache *dlls,
                                       struct mq_dll *dll,
                                       struct mq_target *target,
                                       const struct mq_handle_wishes *wishes,
                                       struct mq_job *job,
                                       struct mq_error *error,
                                       struct mq_costs *costs)
{
    enum mq_result result = mq_read_is_open_mpis(dll->file)
                            ? mq_classes_check(target, error) : mq_ok;

    if (result == mq_ok)
        result = walk_with(dlls, dll, target, wishes, job, error, costs);
    return result == mq_absent ? fail_silent(dll, target, error) : result;
}

/* Open MPI's own DLL, where the user does not name it, comes last: it takes what
 * is complete for pending, or the other way round, and shows nothing that has
 * arrived.
 */
enum mq_result mq_read_target(struct mq_dll_cache *dlls, struct mq_dll *dll,
                              struct mq_target *target,
                              const struct mq_handle_wishes *wishes,
                              struct mq_job *job, struct mq_error *error,
                              struct mq_costs *costs)
{
    bool is_last = mq_read_is_open_mpis(dll->file) && !dlls->latest.is_users;
    struct mq_error said = { "" }, own;
    enum mq_result result = is_last
        ? walk_with_readers(dlls, target, wishes, job, &said, costs)
        : mq_failed;

    if (result != mq_ok)
        result = walk_with_chosen(dlls, dll, target, wishes, job, &own, costs);
    if (result != mq_ok && !is_last)
        result = walk_with_readers(dlls, target, wishes, job, &said, costs);
    if (result != mq_ok)
        mq_fail(error, "%.*s%s", (int)sizeof own.text / 2, own.text,
                said.text);
    return result == mq_ok ? annotate(target, job, error)
                           : mq_read_call(target, job, error);
}

/* ---- Readings ---------------------------------------------------------- */

enum mq_result mq_reading_add(struct mq_reading *reading,
                              const struct mq_read_options *options,
                              struct mq_target *target, struct mq_error *error)
{
    struct mq_costs costs = {0};
    struct mq_error cause;
    struct mq_dll *dll;
    enum mq_result result = mq_dll_cache_choose(options->dlls,
                                                &options->choice, target,
                                                &cause, &dll);

    result = result == mq_ok
        ? mq_read_target(options->dlls, dll, target, &options->handles,
                         reading->job, &cause, &costs)
        : options->choice.asked != NULL ? mq_failed
        : mq_read_call(target, reading->job, &cause);
    mq_reading_add_costs(reading, options, target->name, &costs);
    return result == mq_ok ? mq_ok
           : mq_fail(error, "%s: %s", target->name, cause.text);
}

void mq_reading_forget(struct mq_reading *reading, size_t first)
{
    struct mq_job *job = reading->job;

    while (job->process_count > first)
        mq_process_deinit(&job->processes[--job->process_count]);
    while (reading->lead_count > 0
           && reading->leads[reading->lead_count - 1].process >= first)
        reading->lead_count--;
}

void mq_reading_complain(struct mq_reading *reading,
                         const struct mq_read_options *options,
                         const struct mq_error *error)
{
    reading->is_incomplete = true;
    mq_tell(options->choice.teller, mq_warning, "%s", error->text);
}
