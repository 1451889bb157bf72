/* discover.c - search for a job's ranks among the processes of this host */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "find/discover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/map.h"
#include "base/number.h"
#include "base/text.h"
#include "find/variables.h"
#include "process/proc_stat.h"
#include "process/program.h"
#include "target/rank_process.h"

enum {
    most_generations = 1000,
    most_processes = 1 << 22    /* of Linux */
};

struct process {
    int pid, parent;
};

struct processes {
    const char *proc;
    struct process *all;        /* by pid */
    size_t count, room;
};

/* ---- All processes ----------------------------------------------------- */

static int compare_processes(const void *a, const void *b)
{
    const struct process *x = a, *y = b;

    return mq_compare_ints(&x->pid, &y->pid);
}

static enum mq_result add_process(struct processes *found, int pid,
                                  int parent, struct mq_error *error)
{
    const struct process one = { pid, parent };

    if (found->count == most_processes)
        return mq_fail(error, "more than %d processes", most_processes);
    return mq_array_add(&found->all, sizeof one, &found->count, &found->room,
                        &one, "for the processes of this host", error);
}

/* By number, and each once: the lists change while they are read. */
static void sort(struct processes *found)
{
    size_t kept = 0;

    if (found->count > 0)
        qsort(found->all, found->count, sizeof *found->all,
              compare_processes);
    for (size_t i = 0; i < found->count; i++)
        if (kept == 0 || found->all[kept - 1].pid != found->all[i].pid)
            found->all[kept++] = found->all[i];
    found->count = kept;
}

static enum mq_result list_processes(const char *proc, struct mq_error *error,
                                     struct processes *found)
{
    DIR *folder = opendir(proc);
    enum mq_result result = mq_ok;
    struct dirent *entry;
    int pid;

    *found = (struct processes){ .proc = proc };
    if (folder == NULL)
        return mq_fail(error, "%s cannot be read: %s", proc, strerror(errno));
    while (result == mq_ok && (entry = readdir(folder)) != NULL)
        if (mq_number_is(entry->d_name, 1, INT_MAX, &pid))
            result = add_process(found, pid, mq_proc_parent(proc, pid), error);
    closedir(folder);
    sort(found);
    if (result != mq_ok)
        free(found->all);
    return result;
}

static const struct process *find_process(const struct processes *found,
                                          int pid)
{
    const struct process key = { .pid = pid };

    return found->count == 0 ? NULL
           : bsearch(&key, found->all, found->count, sizeof *found->all,
                     compare_processes);
}

static int known_parent(const struct processes *found, int pid)
{
    const struct process *process = find_process(found, pid);

    return process != NULL ? process->parent : 0;
}

static bool descends_from(const struct processes *found, int pid, int ancestor)
{
    for (int i = 0; i < most_generations && pid > 0; i++) {
        if (pid == ancestor)
            return true;
        pid = known_parent(found, pid);
    }
    return false;
}

/* ---- Processes below others -------------------------------------------- */

/* The process of this host that ENTRY is, or 0. */
static int process_here(const struct mq_procdesc *entry)
{
    const struct mq_location *place = &entry->place;

    return place->is_local && place->pid > 0 && place->pid <= INT_MAX
           ? (int)place->pid : 0;
}

/* Adds PID and what is below it, behind those that are known: mq_absent if the
 * kernel does not list these.
 */
static enum mq_result add_family(struct processes *found, int pid,
                                 struct mq_error *error)
{
    enum mq_result result = add_process(found, pid, 0, error);
    size_t next = found->count - 1;
    char path[PATH_MAX];
    int thread, child;
    FILE *file;

    for (; result == mq_ok && next < found->count; next++) {
        int parent = found->all[next].pid;
        DIR *threads = mq_proc_threads_of(found->proc, parent);

        if (threads == NULL && parent == pid)
            result = mq_absent;
        while (result == mq_ok
               && (thread = mq_proc_next_thread(threads)) != 0) {
            snprintf(path, sizeof path, "%s/%d/task/%d/children", found->proc,
                     parent, thread);
            file = fopen(path, "re");
            if (file == NULL) {
                result = mq_absent;
                break;
            }
            while (result == mq_ok && fscanf(file, "%d", &child) == 1)
                result = add_process(found, child, parent, error);
            fclose(file);
        }
        mq_proc_end_threads(threads);
    }
    return result;
}

/* The starter PID of the ranks in TABLE, these, and what is below them, which
 * on a host with many processes takes less time than all; or all.
 */
static enum mq_result list_job(const char *proc, int pid,
                               const struct mq_proctable *table,
                               struct mq_error *error, struct processes *found)
{
    enum mq_result result;

    *found = (struct processes){ .proc = proc };
    result = add_family(found, pid, error);
    sort(found);
    for (size_t i = 0; result == mq_ok && i < table->count; i++) {
        int listed = process_here(&table->entries[i]);

        if (listed == 0 || find_process(found, listed) != NULL)
            continue;
        result = add_family(found, listed, error);
        sort(found);
    }
    if (result == mq_ok)
        return mq_ok;
    free(found->all);
    return list_processes(proc, error, found);
}

/* ---- Ranks ------------------------------------------------------------- */

/* The process that started the rank PID of WORLD: what is between them are
 * wrappers, which have its place.
 */
static int starter_of(const struct processes *found, int pid,
                      const char *world)
{
    struct mq_rank_place place;

    for (int i = 0; i < most_generations && pid > 1; i++) {
        pid = known_parent(found, pid);
        if (mq_rank_place_read(found->proc, pid, NULL, &place) != mq_ok ||
            strcmp(place.world, world) != 0)
            break;
    }
    return pid;
}

/* Whether PID, which has PLACE, is a rank.  A child of a rank, which inherits
 * its environment, is none: of a family with one place the eldest that has an
 * MPI library is the rank.  A debugger as this one knows MPI's names, too, and
 * the launcher that has started it may have given it a place.
 */
static bool has_place_itself(const struct processes *found, int pid,
                             const struct mq_rank_place *place)
{
    struct mq_rank_place elder;

    if (!mq_process_has_mpi(found->proc, pid)
        || mq_program_is(found->proc, pid, "/proc/self/exe"))
        return false;
    for (int i = 0; i < most_generations; i++) {
        pid = known_parent(found, pid);
        if (pid <= 1 ||
            mq_rank_place_read(found->proc, pid, NULL, &elder) != mq_ok ||
            elder.rank != place->rank ||
            strcmp(elder.world, place->world) != 0)
            return true;
        if (mq_process_has_mpi(found->proc, pid))
            return false;
    }
    return true;
}

static bool is_rank(const struct processes *found, int pid,
                    struct mq_rank_place *place)
{
    return mq_rank_place_read(found->proc, pid, NULL, place) == mq_ok
           && has_place_itself(found, pid, place);
}

/* The program of process PID in the room of PATH, or null. */
static const char *program_of(const char *proc, int pid, char path[PATH_MAX])
{
    char link[PATH_MAX];
    ssize_t length;

    snprintf(link, sizeof link, "%s/%d/exe", proc, pid);
    length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0 ? path : NULL;
}

/* The same without its folder; empty if it is not known. */
static void name_program(const char *proc, int pid, char name[256])
{
    char path[PATH_MAX];
    const char *program = program_of(proc, pid, path);

    snprintf(name, 256, "%.255s",
             program != NULL ? mq_text_last_name(program) : "");
}

static enum mq_result add_rank(const struct processes *found, int pid,
                               const struct mq_rank_place *place,
                               struct mq_error *error,
                               struct mq_proctable *table)
{
    struct mq_procdesc entry = {
        .place = { .host = "localhost", .pid = pid, .is_local = true },
        .rank = place->rank
    };
    char program[PATH_MAX];

    if (mq_proctable_name(table, program_of(found->proc, pid, program), error,
                          &entry.place.executable) != mq_ok
        || mq_proctable_name(table, place->world, error, &entry.world)
           != mq_ok)
        return mq_failed;
    return mq_proctable_add(table, &entry, error);
}

/* Whether two worlds are the same or of one job, where one may have spawned the
 * other: launchers count them in the lower half of a number, or behind @.
 */
static bool is_family(const char *one, const char *other)
{
    const char *mark = strrchr(one, '@');
    uint64_t a = 0, b = 0;

    if (strcmp(one, other) == 0)
        return true;
    if (mark != NULL)
        return strrchr(other, '@') == other + (mark - one)
               && strncmp(one, other, (size_t)(mark - one)) == 0;
    return mq_number_read(&one, UINT32_MAX, &a) == mq_number_ok
           && mq_number_read(&other, UINT32_MAX, &b) == mq_number_ok
           && *one == '\0' && *other == '\0' && a >> 16 == b >> 16
           && a >> 16 != 0;
}

/* The starter of a rank. */
struct origin {
    int starter;
    const char *mark;           /* of its environment, or null */
};

/* The ranks from ORIGIN, of WORLD's job unless that is null, and of no world
 * that is LISTED.
 */
static enum mq_result collect(const struct processes *found,
                              const struct origin *origin,
                              const char *world, const char *listed,
                              struct mq_error *error,
                              struct mq_proctable *table)
{
    enum mq_result result = mq_ok;
    struct mq_rank_place place;

    for (size_t i = 0; result == mq_ok && i < found->count; i++) {
        int pid = found->all[i].pid;

        if ((descends_from(found, pid, origin->starter)
             || (origin->mark != NULL
                 && mq_process_has_entry(found->proc, pid, origin->mark))) &&
            mq_rank_place_read(found->proc, pid, NULL, &place) == mq_ok &&
            (world == NULL || is_family(place.world, world)) &&
            (listed == NULL || strcmp(place.world, listed) != 0) &&
            has_place_itself(found, pid, &place))
            result = add_rank(found, pid, &place, error, table);
    }
    return result;
}

/* Whether TABLE has ranks of the world of PLACE, and not this one. */
static bool is_missing(const struct mq_proctable *table,
                       const struct mq_rank_place *place)
{
    bool has_others = false;

    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->entries[i].world, place->world) == 0) {
            if (table->entries[i].rank == place->rank)
                return false;
            has_others = true;
        }
    return has_others;
}

/* Adds what is to become a rank, and has no MPI library yet: the eldest of
 * those with its place, below ORIGIN.  What a rank has left behind is below
 * nobody, and what starts daemons, as srun does, gives them worlds without
 * ranks.
 */
static enum mq_result add_early(const struct processes *found,
                                const struct origin *origin,
                                struct mq_error *error,
                                struct mq_proctable *table)
{
    enum mq_result result = mq_ok;
    struct mq_rank_place place, elder;

    for (size_t i = 0; result == mq_ok && i < found->count; i++) {
        const struct process *it = &found->all[i];

        if (descends_from(found, it->pid, origin->starter)
            && mq_rank_place_read(found->proc, it->pid, NULL, &place) == mq_ok
            && is_missing(table, &place)
            && (mq_rank_place_read(found->proc, it->parent, NULL, &elder)
                != mq_ok || strcmp(elder.world, place.world) != 0))
            result = add_rank(found, it->pid, &place, error, table);
    }
    return result;
}

/* The ranks that the starter has started; if it belongs to one of them itself,
 * all that were started with that.
 */
static enum mq_result collect_job(const struct processes *found,
                                  const struct origin *origin,
                                  struct mq_error *error,
                                  struct mq_proctable *table)
{
    const int pid = origin->starter;
    struct origin common = { .mark = NULL };
    struct mq_rank_place own;
    enum mq_result result = mq_rank_place_read(found->proc, pid, error, &own);
    bool has_place = result == mq_ok;

    if (result != mq_failed)
        result = collect(found, origin, NULL, NULL, error, table);
    if (result != mq_ok || !has_place || table->count == 0 ||
        strcmp(table->entries[0].world, own.world) != 0)
        return result != mq_ok ? result
               : add_early(found, origin, error, table);
    mq_proctable_deinit(table);
    common.starter = starter_of(found, pid, own.world);
    result = collect(found, &common, own.world, NULL, error, table);
    return result != mq_ok ? result : add_early(found, &common, error, table);
}

static bool is_dead_child(const struct processes *found, size_t i, int starter)
{
    struct mq_proc_stat stat;

    return found->all[i].parent == starter
           && mq_proc_stat_read_in(found->proc, found->all[i].pid, &stat)
           && stat.state == 'Z';
}

/* Adds the ranks that TABLE, which is sorted, lacks of its one world, if the
 * starter has as many children that have ended: an elder one has a lower rank.
 */
static enum mq_result add_dead(const struct processes *found,
                               struct mq_error *error,
                               struct mq_proctable *table)
{
    const size_t listed = table->count;
    size_t dead = 0, next = 0;
    enum mq_result result = mq_ok;
    struct mq_rank_place place;
    int starter, rank = 0;

    if (listed == 0 || table->entries[listed - 1].world != table->entries->world
        || mq_rank_place_read(found->proc, (int)table->entries->place.pid,
                              NULL, &place) != mq_ok)
        return mq_ok;
    starter = starter_of(found, (int)table->entries->place.pid, place.world);
    for (size_t i = 0; i < found->count; i++)
        dead += is_dead_child(found, i, starter);
    if (place.size < 0 || (size_t)place.size != listed + dead)
        return mq_ok;
    for (size_t i = 0; result == mq_ok && i < found->count; i++) {
        if (!is_dead_child(found, i, starter))
            continue;
        for (; next < listed && table->entries[next].rank == rank; rank++)
            next++;
        place.rank = rank++;
        result = add_rank(found, found->all[i].pid, &place, error, table);
    }
    mq_proctable_sort(table, NULL);
    return result;
}

/* Of two jobs that their launcher does not name neither can be chosen: the
 * later one of two processes in TABLE, which is sorted, that are one rank; or
 * null.
 */
static const struct mq_procdesc *repeated_rank(
    const struct mq_proctable *table)
{
    for (size_t i = 1; i < table->count; i++) {
        const struct mq_procdesc *it = &table->entries[i];

        if (it->rank == it[-1].rank && strcmp(it->world, it[-1].world) == 0)
            return it;
    }
    return NULL;
}

enum mq_result mq_discover_job(const char *proc, int pid, const char *mark,
                               struct mq_error *error,
                               struct mq_proctable *table)
{
    const struct origin origin = { pid, mark };
    const struct mq_procdesc *twice = NULL;
    struct processes found;
    enum mq_result result = list_processes(proc, error, &found);

    if (result != mq_ok)
        return result;
    result = collect_job(&found, &origin, error, table);
    if (result == mq_ok) {
        mq_proctable_sort(table, NULL);
        twice = repeated_rank(table);
    }
    if (twice != NULL)
        result = mq_fail(error, "process %d has started several jobs: "
                         "processes %" PRId64 " and %" PRId64 " are both rank "
                         "%" PRId64 "; name one launcher, or one of its ranks",
                         pid, twice[-1].place.pid, twice->place.pid,
                         twice->rank);
    if (result == mq_ok)
        result = add_dead(&found, error, table);
    free(found.all);
    if (result != mq_ok) {
        mq_proctable_deinit(table);
        return result;
    }
    for (size_t i = 1; i < table->count; i++)
        if (strcmp(table->entries[i].world, table->entries[0].world) != 0)
            return mq_ok;
    for (size_t i = 0; i < table->count; i++)
        table->entries[i].world = NULL;         /* one world needs no name */
    return table->count > 0 ? mq_ok : mq_absent;
}

/* ---- Processes missing in a starter's table ----------------------------- */

/* Makes ENTRY of TABLE that of the rank below its process, if there is one and
 * that is a wrapper: one of this host that has no MPI library, and has started
 * another.
 */
static enum mq_result unwrap(const struct processes *found,
                             struct mq_error *error,
                             struct mq_proctable *table,
                             struct mq_procdesc *entry)
{
    const int wrapper = process_here(entry);
    struct mq_rank_place place;
    char program[PATH_MAX];
    size_t i = 0;

    while (i < found->count && found->all[i].parent != wrapper)
        i++;
    if (wrapper == 0 || i == found->count
        || mq_process_has_mpi(found->proc, wrapper))
        return mq_ok;
    for (i = 0; i < found->count; i++) {
        int pid = found->all[i].pid;

        if (!descends_from(found, pid, wrapper)
            || !is_rank(found, pid, &place) || place.rank != entry->rank)
            continue;
        entry->place.pid = pid;
        return mq_proctable_name(table, program_of(found->proc, pid, program),
                                 error, &entry->place.executable);
    }
    return mq_ok;
}

/* The world of the ranks that TABLE lists without one; mq_absent if that is not
 * known.
 */
static enum mq_result read_world(const char *proc,
                                 const struct mq_proctable *table,
                                 struct mq_rank_place *place)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct mq_procdesc *entry = &table->entries[i];
        int pid = process_here(entry);

        if (entry->world != NULL)
            return mq_absent;
        if (pid != 0)
            return mq_rank_place_read(proc, pid, NULL, place)
                   == mq_ok && place->world[0] != '\0' ? mq_ok : mq_absent;
    }
    return mq_absent;
}

static enum mq_result add_spawned(const struct processes *found, int pid,
                                  struct mq_error *error,
                                  struct mq_proctable *table)
{
    const struct origin origin = { pid, NULL };
    size_t listed = table->count;
    struct mq_rank_place own;
    const char *world;
    enum mq_result result;

    if (read_world(found->proc, table, &own) != mq_ok)
        return mq_ok;
    result = collect(found, &origin, own.world, own.world, error, table);
    if (result == mq_ok)
        result = mq_proctable_name(table, own.world, error, &world);
    for (size_t i = 0; result == mq_ok && table->count > listed && i < listed;
         i++)
        table->entries[i].world = world;
    if (result == mq_ok)
        mq_proctable_sort(table, NULL);
    return result;
}

enum mq_result mq_discover_rest(const char *proc, int pid,
                                struct mq_error *error,
                                struct mq_proctable *table)
{
    struct processes found;
    enum mq_result result = list_job(proc, pid, table, error, &found);

    if (result != mq_ok)
        return result;
    for (size_t i = 0; i < table->count && result == mq_ok; i++)
        result = unwrap(&found, error, table, &table->entries[i]);
    if (result == mq_ok)
        result = add_spawned(&found, pid, error, table);
    free(found.all);
    return result;
}

/* ---- Ranks that are not there any more ----------------------------------- */

static bool has_rank(const struct mq_proctable *table, int rank)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->entries[i].rank == rank)
            return true;
    return false;
}

/* Whether a rank of TABLE is PID or below it. */
static bool leads_to_rank(const struct processes *found, int pid,
                          const struct mq_proctable *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (descends_from(found, process_here(&table->entries[i]), pid))
            return true;
    return false;
}

/* Whether PID has ended, with all its threads, and its parent has not looked at
 * it yet.
 */
static bool is_dead(const struct processes *found, int pid)
{
    struct mq_proc_stat stat;

    return mq_proc_stat_read_in(found->proc, pid, &stat) && stat.state == 'Z'
           && stat.threads <= 1;
}

/* Whether IT may be a rank of WORLD that TABLE lacks: a child of the STARTER
 * that is not understood, or what has such a rank's place.  One that lost its
 * parent is below an ancestor of the starter; ranks of other jobs are not.
 */
static bool may_be_missing(const struct processes *found,
                           const struct process *it, int starter,
                           const char *world, const struct mq_proctable *table)
{
    struct mq_rank_place place;

    return (it->parent == starter && !is_dead(found, it->pid)
            && !leads_to_rank(found, it->pid, table))
           || (mq_rank_place_read(found->proc, it->pid, NULL, &place) == mq_ok
               && strcmp(place.world, world) == 0
               && !has_rank(table, place.rank)
               && descends_from(found, starter,
                                starter_of(found, it->pid, world)));
}

/* The place of a rank of TABLE, if all ranks were started on this host and not
 * all are listed; else mq_absent.
 */
static enum mq_result read_incomplete(const char *proc,
                                      const struct mq_proctable *table,
                                      int *pid, struct mq_rank_place *place)
{
    enum mq_result result = mq_absent;

    for (size_t i = 0; i < table->count; i++)
        if (!mq_text_is_same(table->entries[i].world, table->entries->world)
            || process_here(&table->entries[i]) == 0)
            return mq_absent;
    for (size_t i = 0; result != mq_ok && i < table->count; i++) {
        *pid = process_here(&table->entries[i]);
        result = mq_rank_place_read(proc, *pid, NULL, place);
    }
    return result == mq_ok && place->here == place->size
           && (size_t)place->size > table->count
           && place->size <= mq_proctable_most ? mq_ok : mq_absent;
}

static enum mq_result list_missing(const struct mq_proctable *table, int size,
                                   struct mq_error *error, int **ranks,
                                   size_t *count)
{
    int *missing = malloc((size_t)size * sizeof *missing);

    if (missing == NULL)
        return mq_fail_memory(error, "for ranks that have ended");
    *ranks = missing;
    *count = 0;
    for (int rank = 0; rank < size; rank++)
        if (!has_rank(table, rank))
            missing[(*count)++] = rank;
    return mq_ok;
}

enum mq_result mq_discover_ended(const char *proc,
                                 const struct mq_proctable *table,
                                 struct mq_error *error, int **ranks,
                                 size_t *count)
{
    struct processes found;
    struct mq_rank_place place;
    enum mq_result result = mq_ok;
    int pid;

    if (read_incomplete(proc, table, &pid, &place) != mq_ok)
        return mq_absent;
    if (list_processes(proc, error, &found) != mq_ok)
        return mq_failed;
    pid = starter_of(&found, pid, place.world);
    for (size_t i = 0; result == mq_ok && i < found.count; i++)
        if (may_be_missing(&found, &found.all[i], pid, place.world, table))
            result = mq_absent;
    free(found.all);
    return result == mq_ok
           ? list_missing(table, place.size, error, ranks, count) : result;
}

/* ---- Processes left behind by ranks -------------------------------------- */

struct pipes {
    struct mq_map ends;         /* a pipe's number is in it: it is read */
    struct mq_error *error;
};

/* Whether TAKE says so of a pipe that PID can read, or write, as MODE says, but
 * for its standard input.
 */
static bool find_pipe(const char *proc, int pid, mode_t mode,
                      bool (*take)(struct pipes *pipes, uint64_t number),
                      struct pipes *pipes)
{
    char path[PATH_MAX], link[64];
    struct dirent *entry;
    struct stat status;
    bool is_taken = false;
    DIR *folder;

    snprintf(path, sizeof path, "%s/%d/fd", proc, pid);
    folder = opendir(path);
    while (!is_taken && folder != NULL && (entry = readdir(folder)) != NULL) {
        unsigned long long number;
        ssize_t length = readlinkat(dirfd(folder), entry->d_name, link,
                                    sizeof link - 1);

        link[length > 0 ? length : 0] = '\0';
        if (strcmp(entry->d_name, "0") != 0
            && sscanf(link, "pipe:[%llu]", &number) == 1
            && fstatat(dirfd(folder), entry->d_name, &status,
                       AT_SYMLINK_NOFOLLOW) == 0
            && (status.st_mode & mode) != 0)
            is_taken = take(pipes, number);
    }
    if (folder != NULL)
        closedir(folder);
    return is_taken;
}

/* Whether there is no memory for it. */
static bool note_pipe(struct pipes *pipes, uint64_t number)
{
    uint32_t *value;

    return mq_map_add(&pipes->ends, (struct mq_key){ number, 0 }, 0,
                      pipes->error, &value) != mq_ok;
}

static bool is_read(struct pipes *pipes, uint64_t number)
{
    return mq_map_find(&pipes->ends, (struct mq_key){ number, 0 }) != NULL;
}

static enum mq_result find_left_behind(const struct processes *found, int pid,
                                       struct pipes *pipes,
                                       struct mq_left_behind *left)
{
    for (size_t i = 0; i < found->count; i++)
        if (descends_from(found, found->all[i].pid, pid)
            && find_pipe(found->proc, found->all[i].pid, S_IRUSR, note_pipe,
                         pipes))
            return mq_failed;
    /* One that is left has a rank's place and writes where the starter reads,
     * to which it does not belong any more.
     */
    for (size_t i = 0; i < found->count; i++) {
        const int it = found->all[i].pid;
        struct mq_rank_place place;

        if (descends_from(found, it, pid)
            || !find_pipe(found->proc, it, S_IWUSR, is_read, pipes)
            || mq_rank_place_read(found->proc, it, NULL, &place) != mq_ok)
            continue;
        left->pid = it;
        name_program(found->proc, it, left->program);
        return mq_ok;
    }
    return mq_absent;
}

enum mq_result mq_discover_left_behind(const char *proc, int pid,
                                       struct mq_error *error,
                                       struct mq_left_behind *left)
{
    struct pipes pipes = { .error = error };
    struct processes found;
    enum mq_result result = list_processes(proc, error, &found);

    if (result != mq_ok)
        return result;
    result = find_left_behind(&found, pid, &pipes, left);
    mq_map_deinit(&pipes.ends);
    free(found.all);
    return result;
}

/* ---- Processes that are named ------------------------------------------- */

enum mq_result mq_discover_worlds(const char *proc, const int *pids,
                                  size_t count, struct mq_error *error,
                                  struct mq_proctable *table)
{
    const struct processes found = { .proc = proc };
    enum mq_result result = mq_ok;
    struct mq_rank_place place;
    bool differ = false;

    for (size_t i = 0; result == mq_ok && i < count; i++) {
        if (mq_rank_place_read(proc, pids[i], NULL, &place) != mq_ok ||
            place.world[0] == '\0')
            result = mq_absent;
        else
            result = add_rank(&found, pids[i], &place, error, table);
        differ = differ || (result == mq_ok &&
                            strcmp(place.world, table->entries[0].world) != 0);
    }
    if (result == mq_ok && !differ)
        result = mq_absent;
    if (result == mq_ok)
        mq_proctable_sort(table, NULL);
    else
        mq_proctable_deinit(table);
    return result;
}

/* ---- Ranks of any starter ---------------------------------------------- */

static bool is_of_user(const char *proc, int pid, unsigned user)
{
    char path[PATH_MAX];
    struct stat about;

    snprintf(path, sizeof path, "%s/%d", proc, pid);
    return stat(path, &about) == 0 && about.st_uid == user;
}

static bool is_meant(const struct processes *found, int pid,
                     const struct mq_rank_wish *wish,
                     struct mq_rank_place *place)
{
    const char *const entries[] = { wish->job, wish->node, wish->step };

    if (wish->job == NULL && !is_of_user(found->proc, pid, wish->user))
        return false;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (entries[i] != NULL
            && !mq_process_has_entry(found->proc, pid, entries[i]))
            return false;
    return is_rank(found, pid, place) &&
           (wish->world == NULL || strcmp(place->world, wish->world) == 0);
}

enum mq_result mq_discover_ranks(const char *proc,
                                 const struct mq_rank_wish *wish,
                                 struct mq_error *error,
                                 struct mq_proctable *table)
{
    const struct mq_procdesc *twice = NULL;
    struct processes found;
    struct mq_rank_place place;
    enum mq_result result = list_processes(proc, error, &found);

    if (result != mq_ok)
        return result;
    for (size_t i = 0; result == mq_ok && i < found.count; i++)
        if (is_meant(&found, found.all[i].pid, wish, &place))
            result = add_rank(&found, found.all[i].pid, &place, error, table);
    free(found.all);
    if (result == mq_ok) {
        mq_proctable_sort(table, NULL);
        twice = repeated_rank(table);
    }
    if (twice != NULL)
        result = mq_fail(error, "there are ranks of several jobs: processes %"
                         PRId64 " and %" PRId64 " are both rank %" PRId64
                         "; select some with --pid", twice[-1].place.pid,
                         twice->place.pid, twice->rank);
    if (result != mq_ok) {
        mq_proctable_deinit(table);
        return result;
    }
    return table->count > 0 ? mq_ok : mq_absent;
}

/* ---- Jobs -------------------------------------------------------------- */

/* The job of STARTER among COUNT of JOBS, which has room for one more. */
static struct mq_discovered_job *job_of(struct mq_discovered_job *jobs,
                                        size_t *count, int starter)
{
    for (size_t i = 0; i < *count; i++)
        if (jobs[i].starter == starter)
            return &jobs[i];
    jobs[*count] = (struct mq_discovered_job){ .starter = starter };
    return &jobs[(*count)++];
}

/* How many processes a rank's own table has: a job of MPICH 1.x, whose
 * rank 0 has started the others, is in no environment.  0: it has no table.
 */
static int64_t size_of_own_job(struct mq_loaded *files, int pid)
{
    struct mq_target *target;
    struct mq_pin pin;
    uint64_t symbol;
    int64_t size = 0;

    if (!mq_process_has_mpi("/proc", pid)
        || mq_pin_process(pid, NULL, &pin) != mq_ok
        || mq_variables_open(files, &pin, NULL, &target) != mq_ok)
        return 0;
    if (mq_variables_has(target, mq_mpir_proctable)
        && !mq_variables_has(target, mq_mpir_i_am_starter)
        && mq_target_find_symbol(target, "MPIR_proctable_size", NULL, &symbol)
           == mq_ok
        && mq_target_read_signed(target, symbol, target->sizes.int_size, NULL,
                                 &size) == mq_ok
        && (size < 0 || size > mq_proctable_most))
        size = 0;
    mq_target_destroy(target);
    return size;
}

/* Adds the jobs of ranks that nobody gave a place. */
static void add_own_jobs(const struct processes *found, unsigned user,
                         struct mq_discovered_job *made, size_t *count)
{
    struct mq_loaded files = { .names = NULL };
    struct mq_rank_place place;
    size_t launched = *count;

    for (size_t i = 0; i < found->count; i++) {
        int pid = found->all[i].pid;
        bool is_launcher = false;
        int64_t size;

        for (size_t k = 0; k < launched; k++)
            is_launcher |= made[k].starter == pid;
        if (is_launcher || !is_of_user("/proc", pid, user)
            || mq_rank_place_read("/proc", pid, NULL, &place) == mq_ok)
            continue;
        size = size_of_own_job(&files, pid);
        if (size > 0) {
            struct mq_discovered_job *job = job_of(made, count, pid);

            job->size = job->rank_count = (int)size;
            name_program("/proc", pid, job->program);
        }
    }
    mq_loaded_deinit(&files);
}

static int compare_jobs(const void *a, const void *b)
{
    const struct mq_discovered_job *x = a, *y = b;

    return mq_compare_ints(&x->starter, &y->starter);
}

enum mq_result mq_discover_jobs(const char *proc, unsigned user,
                                struct mq_error *error,
                                struct mq_discovered_job **jobs,
                                size_t *count)
{
    struct mq_discovered_job *made, *job;
    struct mq_rank_place place;
    struct processes found;
    size_t made_count = 0;

    if (list_processes(proc, error, &found) != mq_ok)
        return mq_failed;
    made = malloc((found.count + 1) * sizeof *made);
    for (size_t i = 0; made != NULL && i < found.count; i++) {
        int pid = found.all[i].pid;

        if (!is_of_user(proc, pid, user) || !is_rank(&found, pid, &place))
            continue;
        job = job_of(made, &made_count,
                     starter_of(&found, pid, place.world));
        job->size = place.size;
        if (job->rank_count++ == 0)
            name_program(proc, pid, job->program);
    }
    if (made != NULL && strcmp(proc, "/proc") == 0)
        add_own_jobs(&found, user, made, &made_count);
    free(found.all);
    if (made == NULL)
        return mq_fail_memory(error, "for the jobs of this host");
    qsort(made, made_count, sizeof *made, compare_jobs);
    if (made_count == 0) {
        free(made);
        made = NULL;
    }
    *jobs = made;
    *count = made_count;
    return mq_ok;
}
