/* subjects.c - processes that a source names */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/sample/subjects.h"

#include <limits.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/text.h"
#include "find/discover.h"
#include "process/program.h"
#include "target/rank_process.h"

enum { most_rank = 1 << 30, most_pid = 1 << 30 };

/* ---- Numbers ----------------------------------------------------------- */

/* A number from LEAST to MOST at the begin of *LIST, which moves behind the
 * comma that may follow.
 */
static bool take_number(const char **list, int least, int most, int *number)
{
    const char *end = *list;
    uint64_t value;

    if (mq_number_read(&end, (uint64_t)most, &value) != mq_number_ok
        || (int)value < least || (*end != '\0' && *end != ',')
        || (*end == ',' && end[1] == '\0'))
        return false;
    *list = *end == ',' ? end + 1 : end;
    *number = (int)value;
    return true;
}

enum mq_result mq_rank_list_take(struct mq_rank_list *ranks,
                                 struct mq_error *error, int *rank)
{
    if (ranks->text == NULL || (*ranks->next == '\0' && *ranks->text != '\0'))
        *rank = -1;
    else if (!take_number(&ranks->next, 0, most_rank, rank))
        return mq_fail(error, "--ranks-are %s: it takes comma-separated "
                       "numbers", ranks->text);
    return mq_ok;
}

/* ---- Subjects ---------------------------------------------------------- */

static enum mq_result make_room(size_t count, struct mq_error *error,
                                struct mq_subject **subjects)
{
    *subjects = calloc(count, sizeof **subjects);
    return *subjects != NULL ? mq_ok
                             : mq_fail_memory(error, "for the processes");
}

/* Whether PID has no MPI, and a job that it may be meant for. */
static bool is_starter(int pid)
{
    struct mq_proctable table = { .count = 0 };
    struct mq_error ignored;
    bool has_job;

    if (mq_process_has_mpi("/proc", pid)
        || mq_discover_job("/proc", pid, NULL, &ignored, &table) != mq_ok)
        return false;
    has_job = table.count > 0;
    mq_proctable_deinit(&table);
    return has_job;
}

/* The COUNT processes of LIST.  To look at one that runs this program, as those
 * do that mqdump is made of, would stop mqdump.
 */
static enum mq_result take_processes(const char *list,
                                     struct mq_rank_list *ranks,
                                     struct mq_error *error,
                                     struct mq_subject *subjects,
                                     size_t count)
{
    const char *next = list;
    char path[PATH_MAX];

    for (size_t i = 0; i < count; i++) {
        subjects[i].kind = mq_subject_process;
        if (!take_number(&next, 1, most_pid, &subjects[i].pid))
            return mq_fail(error, "--pid %s: it takes comma-separated "
                           "numbers", list);
        if (mq_program_is("/proc", subjects[i].pid, "/proc/self/exe"))
            return mq_fail(error, "process %d is an mqdump, whose PID may be "
                           "that of a rank that has ended: name the ranks",
                           subjects[i].pid);
        if (is_starter(subjects[i].pid)) {
            mq_program_path(subjects[i].pid, path, sizeof path);
            return mq_fail(error, "process %d is %s, no rank; for the job that "
                           "it has started: mqdump --job %d", subjects[i].pid,
                           mq_text_last_name(path), subjects[i].pid);
        }
        if (mq_rank_list_take(ranks, error, &subjects[i].rank) != mq_ok)
            return mq_failed;
    }
    return mq_ok;
}

enum mq_result mq_subjects_of_processes(char *const *values,
                                        struct mq_rank_list *ranks,
                                        struct mq_error *error,
                                        struct mq_subject **subjects,
                                        size_t *count)
{
    struct mq_subject *made;
    size_t commas = 0;

    for (const char *c = values[0]; *c != '\0'; c++)
        commas += *c == ',';
    if (make_room(commas + 1, error, &made) != mq_ok)
        return mq_failed;
    if (take_processes(values[0], ranks, error, made, commas + 1) != mq_ok) {
        free(made);
        return mq_failed;
    }
    *subjects = made;
    *count = commas + 1;
    return mq_ok;
}

enum mq_result mq_subjects_of_core(char *const *values,
                                   struct mq_rank_list *ranks,
                                   struct mq_error *error,
                                   struct mq_subject **subjects,
                                   size_t *count)
{
    struct mq_subject *made;
    int rank;

    if (mq_rank_list_take(ranks, error, &rank) != mq_ok
        || make_room(1, error, &made) != mq_ok)
        return mq_failed;
    *made = (struct mq_subject){
        .kind = mq_subject_core, .program = values[0], .place = values[1],
        .rank = rank
    };
    *subjects = made;
    *count = 1;
    return mq_ok;
}
