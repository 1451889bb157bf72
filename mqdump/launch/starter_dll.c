/* starter_dll.c - the message-queue DLL that a job's starter names
 *
 * Any process of the user's may be a starter: it is looked at in the order of
 * what that costs, whose it is, which of the variables of starters its files
 * have, and what it has there.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/launch/starter_dll.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/number.h"
#include "find/acquire.h"
#include "find/variables.h"
#include "process/proc_stat.h"
#include "target/rank_process.h"

static bool is_empty(const struct mq_dll_offer *offer)
{
    return offer->count == 0 && offer->veto == NULL
           && offer->way == mq_dll_way_mpich;
}

/* Its tables in other processes are not gone after. */
static enum mq_result refuse(struct mq_mpi2dd_opener *opener,
                             const struct mq_location *place,
                             struct mq_error *error, struct mq_target **target)
{
    (void)opener, (void)place, (void)error, (void)target;
    return mq_absent;
}

static bool lists_them(struct mq_target *target,
                       const struct mq_starter_dll_wish *wish)
{
    struct mq_mpi2dd_opener opener = { refuse, NULL };
    struct mq_acquired job;
    struct mq_error error;
    bool is_meant = false;

    if (mq_acquire(target, target->pid, &opener, NULL, &error, &job) != mq_ok)
        return false;
    for (size_t i = 0; i < job.table.count; i++)
        if (wish->is_meant(target->pid, &job.table.entries[i], wish->context))
            is_meant = true;
    mq_acquired_deinit(&job);
    return is_meant;
}

/* ---- Those above a rank -------------------------------------------------- */

enum { most_generations = 100 };

static bool is_rank(int starter, const struct mq_procdesc *entry, void *context)
{
    (void)starter;
    return entry->place.is_local && entry->place.pid == *(const int *)context;
}

bool mq_starter_dll_of_ancestor(const struct mq_pin *rank,
                                struct mq_dll_offer *offer)
{
    struct mq_loaded files = { .names = NULL };
    struct mq_dll_offer found = { .count = 0 };
    int pid = mq_proc_parent("/proc", rank->pid), named = rank->pid;
    const struct mq_starter_dll_wish wish = { rank, NULL, is_rank, &named };
    struct mq_target *starter;
    struct mq_pin pin;
    struct mq_error error;
    bool is_found = false;

    for (int i = 0; i < most_generations && pid > 1 && !is_found; i++) {
        if (mq_pin_named_process(rank, pid, &error, &pin) != mq_ok)
            break;
        if (mq_variables_open(&files, &pin, &error, &starter) == mq_ok) {
            mq_dll_offer_read(starter, NULL, &found);
            is_found = !is_empty(&found) || lists_them(starter, &wish);
            mq_target_destroy(starter);
        }
        pid = mq_proc_parent("/proc", pid);
    }
    mq_loaded_deinit(&files);
    *offer = found;
    return is_found;
}

/* ---- Those that list ranks ----------------------------------------------- */

/* Whether a process has a table, and something that names DLLs: the tables of
 * MPI2DD are both.
 */
static bool may_say(const struct mq_target *process)
{
    return mq_variables_has(process, mq_variable_info)
           || (mq_variables_has(process, mq_mpir_proctable)
               && mq_variables_has(process, mq_mpir_proctable_size)
               && (mq_variables_has(process, mq_variable_dll_name)
                   || mq_variables_has(process, mq_variable_ignore_queues)
                   || mq_variables_has(process, mq_variable_dll_locations)));
}

/* A search and its result so far. */
struct search {
    const struct mq_starter_dll_wish *wish;
    struct mq_logger *logger;
    struct mq_loaded files;
    struct mq_map programs;     /* that have none, by inode and device */
    struct mq_dll_offer found;
    int pid;                    /* that said so */
    bool is_contradicted;
};

static bool is_equal(const struct mq_dll_offer *left,
                     const struct mq_dll_offer *right)
{
    if (left->count != right->count || left->way != right->way
        || (left->veto == NULL) != (right->veto == NULL))
        return false;
    for (size_t i = 0; i < left->count; i++)
        if (strcmp(left->named[i].name, right->named[i].name) != 0)
            return false;
    return true;
}

/* Takes over what process PID says, unless another one says something else. */
static void take(struct search *search, int pid, struct mq_dll_offer *offer)
{
    if (is_empty(&search->found)) {
        search->found = *offer;
        search->pid = pid;
        return;
    }
    if (!is_equal(offer, &search->found)) {
        search->is_contradicted = true;
        mq_log(search->logger, mq_verbose, "processes %d and %d list the ranks "
               "and name different DLLs: both are ignored", search->pid,
               pid);
    }
    mq_dll_offer_deinit(offer);
}

static void ask(struct search *search, struct mq_target *starter)
{
    struct mq_dll_offer offer;

    mq_dll_offer_read(starter, NULL, &offer);
    if (!is_empty(&offer) && lists_them(starter, search->wish))
        take(search, starter->pid, &offer);
    else
        mq_dll_offer_deinit(&offer);
}

/* mq_absent if process PID has nothing to say with all that it has loaded. */
static enum mq_result open_and_ask(struct search *search, int pid)
{
    struct mq_target *starter;
    struct mq_pin pin;
    struct mq_error error;
    enum mq_result result = mq_pin_named_process(search->wish->user, pid,
                                                 &error, &pin);

    if (result != mq_ok || mq_process_counts_anew("/proc", pid))
        return mq_failed;
    result = mq_variables_open(&search->files, &pin, &error, &starter);
    if (result != mq_ok)
        return result;
    if (may_say(starter))
        ask(search, starter);
    else
        result = mq_absent;
    mq_target_destroy(starter);
    return result;
}

/* A process more of a program that had nothing to say is not looked at: a host
 * has many shells.
 */
static void look_at(struct search *search, int pid)
{
    struct mq_key key;
    struct stat program;
    uint32_t *value;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    if (stat(path, &program) != 0)
        return;
    key = (struct mq_key){ program.st_ino, program.st_dev };
    if (mq_map_find(&search->programs, key) == NULL
        && open_and_ask(search, pid) == mq_absent)
        mq_map_add(&search->programs, key, 0, NULL, &value);
}

/* Whether NAME in FOLDER, /proc, may be a process that is meant: those of
 * others are passed over before anything of them is opened.
 */
static bool may_be_meant(DIR *folder, const char *name,
                         const struct mq_starter_dll_wish *wish, int *pid)
{
    struct stat state;

    return mq_number_is(name, 1, INT_MAX, pid) && *pid != getpid()
           && fstatat(dirfd(folder), name, &state, 0) == 0
           && state.st_uid == wish->user->effective
           && (wish->entry == NULL
               || mq_process_has_entry("/proc", *pid, wish->entry));
}

void mq_starter_dll_search(const struct mq_starter_dll_wish *wish,
                    struct mq_logger *logger, struct mq_dll_offer *offer)
{
    struct search search = {
        .wish = wish, .logger = logger
    };
    DIR *folder = opendir("/proc");
    const struct dirent *file;
    int pid;

    while (folder != NULL && !search.is_contradicted
           && (file = readdir(folder)) != NULL)
        if (may_be_meant(folder, file->d_name, wish, &pid))
            look_at(&search, pid);
    if (folder != NULL)
        closedir(folder);
    mq_loaded_deinit(&search.files);
    mq_map_deinit(&search.programs);
    if (search.is_contradicted)
        mq_dll_offer_deinit(&search.found);
    *offer = search.found;
}
