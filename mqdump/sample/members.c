/* members.c - reads the processes of a job's table */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/members.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "find/discover.h"
#include "model/digest.h"
#include "model/worlds.h"
#include "mpi/call.h"
#include "mqdump/sample/source_live.h"
#include "process/program.h"

enum { line_room = 300 };       /* of a command to run: then a new one */

bool mq_member_is_here(const struct mq_procdesc *entry)
{
    const struct mq_location *place = &entry->place;

    if (place->pid <= 0 || place->pid > INT_MAX)
        return false;
    return place->host != NULL ? place->is_local
           : place->executable != NULL
             && mq_program_is("/proc", (int)place->pid, place->executable);
}

/* ---- Those that are elsewhere ------------------------------------------- */

static const char *shown(const char *text, const char *otherwise)
{
    return text != NULL ? text : otherwise;
}

static void list_member(const struct mq_procdesc *entry,
                        struct mq_logger *logger)
{
    const struct mq_location *place = &entry->place;
    char pid[32] = "pid not known";

    if (place->pid > 0)
        snprintf(pid, sizeof pid, "pid %" PRId64, place->pid);
    mq_log(logger, mq_warning, "rank %" PRId64 "%s%s is on %s: %s, %s",
           entry->rank, entry->world != NULL ? " of world " : "",
           shown(entry->world, ""), shown(place->host, "an unknown host"),
           shown(place->executable, "program not known"), pid);
}

/* Logs the origin of the worlds that a starter did not make. */
static void log_spawns(const struct mq_proctable *table,
                       struct mq_logger *logger)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct mq_procdesc *entry = &table->entries[i];

        if (entry->parent_world != NULL
            && (i == 0 || !mq_text_is_same(entry[-1].world, entry->world)))
            mq_log(logger, mq_verbose, "world %s was spawned by rank %" PRId64
                   " of world %s, as its spawn number %" PRId64,
                   shown(entry->world, "?"), entry->parent_rank,
                   entry->parent_world, entry->sequence);
    }
}

/* A command line that shows processes, as far as it is written. */
struct command {
    char pids[line_room], ranks[line_room];
};

static void add_number(char *list, int64_t number)
{
    size_t length = strlen(list);

    snprintf(list + length, line_room - length, "%s%" PRId64,
             length > 0 ? "," : "", number);
}

static void end_command(struct command *command, const char *host,
                        struct mq_logger *logger)
{
    if (command->pids[0] != '\0')
        mq_log(logger, mq_warning, "run on %s: mqdump --pid %s --ranks-are %s",
               shown(host, "the host it is on"), command->pids,
               command->ranks);
    command->pids[0] = command->ranks[0] = '\0';
}

/* Lists the COUNT entries that are not shown, in the table's order. */
static void list_members(struct mq_procdesc *const *entries, size_t count,
                         struct mq_logger *logger)
{
    struct command command = { "", "" };

    for (size_t i = 0; i < count; i++) {
        const struct mq_procdesc *entry = entries[i];

        list_member(entry, logger);
        if (entry->place.pid > 0) {
            add_number(command.pids, entry->place.pid);
            add_number(command.ranks, entry->rank);
        }
        if (i + 1 == count ||
            !mq_text_is_same(entry->world, entries[i + 1]->world) ||
            !mq_text_is_same(entry->place.host, entries[i + 1]->place.host) ||
            strlen(command.pids) > line_room - 32 ||
            strlen(command.ranks) > line_room - 32)
            end_command(&command, entry->place.host, logger);
    }
}

static int by_host(const void *one, const void *other)
{
    const struct mq_procdesc *a = *(struct mq_procdesc *const *)one;
    const struct mq_procdesc *b = *(struct mq_procdesc *const *)other;
    int order = 0;

    if (a->world != NULL && b->world != NULL)
        order = strcmp(a->world, b->world);
    if (order == 0 && (a->place.host == NULL || b->place.host == NULL))
        order = (a->place.host != NULL) - (b->place.host != NULL);
    else if (order == 0)
        order = strcmp(a->place.host, b->place.host);
    return order != 0 ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/* ---- Those that are here ------------------------------------------------- */

/* Results for the entries of a table. */
struct plan {
    size_t subject_count;
    struct mq_subject *subjects;    /* to be read */
    size_t listed_count;
    struct mq_procdesc **listed;        /* to be reported */
    size_t world_count;
    struct mq_world *worlds;            /* in the table's order */
};

/* The number of the world of ENTRY, which is added if there was none of it; the
 * entries of one are mostly adjacent.
 */
static enum mq_result note_world(struct plan *plan, struct mq_job *job,
                                 const struct mq_procdesc *entry,
                                 struct mq_error *error, uint32_t *number)
{
    size_t i = plan->world_count;
    const char *name;

    if (mq_job_string(job, shown(entry->world, "without a name"), error, &name)
        != mq_ok)
        return mq_failed;
    while (i > 0 && plan->worlds[i - 1].name != name)
        i--;
    if (i == 0) {
        i = ++plan->world_count;
        plan->worlds[i - 1] = (struct mq_world){ name, 0, 1 };
    }
    if (entry->rank >= plan->worlds[i - 1].size
        && entry->rank < mq_digest_most_ranks)
        plan->worlds[i - 1].size = (int)entry->rank + 1;
    *number = (uint32_t)(i - 1);
    return mq_ok;
}

/* Adds the rank of ENTRY, which is not its namer's, as WHY says. */
static enum mq_result refuse(const struct mq_procdesc *entry, uint32_t world,
                             const char *why, struct mq_reading *reading,
                             struct mq_error *error)
{
    char name[64];
    const struct mq_process rank = {
        .name = name, .world = world, .presence = mq_not_read,
        .rank = entry->rank >= 0 && entry->rank < mq_digest_most_ranks
                ? (int)entry->rank : -1
    };

    snprintf(name, sizeof name, "process %" PRId64, entry->place.pid);
    return mq_live_add_unread(reading, &rank, why, error);
}

/* Takes ENTRY, whose process is here, as a subject.  A process that has ended
 * already remains, and is reported so; whatever gets its number is another one.
 */
static enum mq_result take_subject(const struct mq_pin *namer,
                                   const struct mq_procdesc *entry,
                                   struct mq_reading *reading,
                                   struct mq_error *error, struct plan *plan)
{
    struct mq_subject *subject = &plan->subjects[plan->subject_count];
    struct mq_error why;
    enum mq_result result;

    subject->kind = mq_subject_process;
    subject->pid = subject->pin.pid = (int)entry->place.pid;
    subject->rank = (int)entry->rank;
    result = mq_pin_named_process(namer, subject->pid, &why, &subject->pin);
    if (result == mq_failed)
        return refuse(entry, subject->world, why.text, reading, error);
    plan->subject_count++;
    return mq_ok;
}

static enum mq_result make_plan(const struct mq_proctable *table,
                                struct mq_reading *reading,
                                struct mq_error *error, struct plan *plan)
{
    enum mq_result result = mq_ok;

    plan->subjects = calloc(table->count + 1, sizeof *plan->subjects);
    plan->listed = calloc(table->count + 1, sizeof *plan->listed);
    plan->worlds = calloc(table->count + 1, sizeof *plan->worlds);
    if (plan->subjects == NULL || plan->listed == NULL || plan->worlds == NULL)
        return mq_fail_memory(error, "showing the job's processes");
    for (size_t i = 0; result == mq_ok && i < table->count; i++) {
        struct mq_procdesc *entry = &table->entries[i];
        struct mq_subject *subject = &plan->subjects[plan->subject_count];

        result = note_world(plan, reading->job, entry, error, &subject->world);
        if (result == mq_ok && mq_member_is_here(entry))
            result = take_subject(&table->namer, entry, reading, error, plan);
        else
            plan->listed[plan->listed_count++] = entry;
    }
    return result;
}

/* Reads what is here. */
static enum mq_result read_plan(const struct plan *plan,
                                const struct mq_read_options *how,
                                struct mq_reading *reading,
                                struct mq_error *error)
{
    struct mq_read_options own = *how;

    own.handles.worlds = plan->world_count > 1;
    return plan->subject_count == 0 ? mq_ok
           : mq_live_read(plan->subjects, plan->subject_count, &own, reading,
                          error);
}

/* ---- Those that have ended ----------------------------------------------- */

/* Whether a rank from FIRST on has left MPI_Init: all had been started then. */
static bool has_begun(const struct mq_job *job, size_t first)
{
    for (size_t p = first; p < job->process_count; p++) {
        enum mq_wait call = mq_call_wait(job->processes[p].call);

        if (job->processes[p].communicator_count > 0
            && call != mq_wait_starting && call != mq_wait_unknown)
            return true;
    }
    return false;
}

/* Adds the ranks that are not in TABLE since their starter has waited for them
 * and lists none.
 */
static enum mq_result add_ended(const struct mq_proctable *table, size_t first,
                                struct mq_reading *reading,
                                struct mq_error *error)
{
    enum mq_result result = mq_absent;
    size_t count;
    int *ranks;

    if (has_begun(reading->job, first))
        result = mq_discover_ended("/proc", table, error, &ranks, &count);
    if (result != mq_ok)
        return result == mq_absent ? mq_ok : result;
    for (size_t i = 0; result == mq_ok && i < count; i++) {
        char name[64];
        const struct mq_process rank = {
            .name = name, .rank = ranks[i], .presence = mq_gone
        };

        snprintf(name, sizeof name, "ended process of rank %d", ranks[i]);
        result = mq_live_add_unread(reading, &rank, NULL, error);
    }
    free(ranks);
    return result;
}

/* Makes one job of the processes from FIRST on, whatever became of some. */
static enum mq_result join_worlds(const struct plan *plan, size_t first,
                                  struct mq_reading *reading,
                                  struct mq_error *error)
{
    enum mq_result result;

    if (plan->world_count < 2 || reading->job->process_count == first)
        return mq_ok;
    result = mq_worlds_join(reading->job, first, plan->worlds,
                            plan->world_count, error);
    if (result != mq_ok)
        mq_reading_forget(reading, first);
    return result;
}

enum mq_result mq_members_show(const struct mq_proctable *table,
                               const struct mq_read_options *how,
                               struct mq_reading *reading,
                               struct mq_error *error)
{
    struct plan plan = { 0 };
    size_t first = reading->job->process_count;
    struct mq_error problem;
    enum mq_result result = make_plan(table, reading, error, &plan);

    if (result == mq_ok) {
        if (plan.world_count > 1)
            log_spawns(table, how->choice.logger);
        result = read_plan(&plan, how, reading, error);
        if (result == mq_ok)
            result = add_ended(table, first, reading, error);
        if (join_worlds(&plan, first, reading, &problem) != mq_ok)
            mq_reading_complain(reading, how, &problem);
    }
    if (result == mq_ok && plan.listed_count > 0) {
        qsort(plan.listed, plan.listed_count, sizeof *plan.listed, by_host);
        list_members(plan.listed, plan.listed_count, how->choice.logger);
    }
    free(plan.subjects);
    free(plan.listed);
    free(plan.worlds);
    return result;
}
