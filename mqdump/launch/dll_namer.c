/* dll_namer.c - what starters say of the DLL for their ranks
 *
 * Any process of the user's may be a starter: it is looked at in the order of
 * what that costs, whose it is, which of the variables of starters its files
 * have, and what it has there.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mqdump/launch/dll_namer.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "acquire/acquire.h"
#include "acquire/table_names.h"
#include "base/map.h"
#include "base/number.h"
#include "process/proc_stat.h"
#include "process/program.h"
#include "target/loaded.h"
#include "target/memory.h"
#include "target/rank_process.h"

/* The variables that say something; each has at least so many bytes. */
static const struct mq_loaded_name names[] = {
    { "MPIR_proctable", 4 }, { "MPIR_proctable_size", 4 },
    { "MPI2DD_info", 8 }, { "MPIR_dll_name", 2 },
    { "MPIR_Ignore_queues", 1 }, { "mpimsgq_dll_locations", 4 }
};

enum {
    name_count = sizeof names / sizeof names[0],
    first_of_dlls = 2           /* MPI2DD_info tells of both */
};

static const struct mq_loaded loaded_files = {
    .names = names, .name_count = name_count, .is_to_read = true
};

/* ---- A starter that runs on ---------------------------------------------- */

struct starter {
    struct mq_target target;
    struct mq_target *memory;
    char image[PATH_MAX];
    uint64_t places[mq_loaded_names];   /* of the variables; 0: there is none */
};

static enum mq_result starter_read(struct mq_target *target, uint64_t address,
                                   size_t length, struct mq_error *error,
                                   void *bytes)
{
    struct mq_target *memory = ((struct starter *)target)->memory;

    return memory->ops->read(memory, address, length, error, bytes);
}

static enum mq_result starter_find(struct mq_target *target, const char *name,
                                   bool is_function, struct mq_error *error,
                                   uint64_t *address)
{
    const struct starter *starter = (struct starter *)target;

    (void)is_function, (void)error;
    for (size_t i = 0; i < name_count; i++)
        if (starter->places[i] != 0 && strcmp(name, names[i].name) == 0) {
            *address = starter->places[i];
            return mq_ok;
        }
    return mq_absent;
}

static const struct mq_target_ops starter_ops = {
    .read = starter_read,
    .find_name = starter_find
};

/* Notes which program process PID executes, and of what width; false if that
 * cannot be read.
 */
static bool describe(struct starter *starter, int pid)
{
    int class = mq_program_class(pid);
    char path[64];
    ssize_t length;

    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    length = readlink(path, starter->image, sizeof starter->image - 1);
    if (length < 0 || class == ELFCLASSNONE)
        return false;
    starter->image[length] = '\0';
    starter->target.image = starter->image;
    starter->target.sizes.pointer_size = class == ELFCLASS64 ? 8 : 4;
    return true;
}

/* Opens the memory of process PID, which can only be read by that. */
static struct mq_target *open_memory(int pid)
{
    struct mq_target *memory;
    char path[64];
    int file;

    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (mq_memory_adopt(pid, file, NULL, &memory) == mq_ok)
        return memory;
    close(file);
    return NULL;
}

/* Opens OWNER, of whose variables some are where they are found in the memory
 * that was opened; what it executes since is never read.
 */
static bool open_starter(struct mq_loaded *files, const struct mq_owner *owner,
                         struct starter *starter)
{
    struct mq_error error;
    struct mq_target *memory = open_memory(owner->pid);

    if (memory == NULL)
        return false;
    *starter = (struct starter){ .target = *memory, .memory = memory };
    starter->target.ops = &starter_ops;
    if (describe(starter, owner->pid)
        && mq_loaded_find(files, owner->pid, &error, starter->places) == mq_ok
        && mq_owner_check(owner, &error) == mq_ok)
        return true;
    mq_target_destroy(memory);
    return false;
}

static void close_starter(struct starter *starter)
{
    mq_target_destroy(starter->memory);
}

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
                       const struct mq_dll_namer_wish *wish)
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

bool mq_dll_namer_above(const struct mq_owner *rank,
                        struct mq_dll_offer *offer)
{
    struct mq_loaded files = loaded_files;
    struct mq_dll_offer found = { .count = 0 };
    int pid = mq_proc_parent("/proc", rank->pid), named = rank->pid;
    const struct mq_dll_namer_wish wish = { rank, NULL, is_rank, &named };
    struct starter starter;
    struct mq_owner owner;
    struct mq_error error;
    bool is_found = false;

    for (int i = 0; i < most_generations && pid > 1 && !is_found; i++) {
        if (mq_owner_pin_named(rank, pid, &error, &owner) != mq_ok)
            break;
        if (mq_process_may_have_tables("/proc", pid)
            && open_starter(&files, &owner, &starter)) {
            mq_dll_offer_read(&starter.target, NULL, &found);
            is_found = !is_empty(&found) || lists_them(&starter.target, &wish);
            close_starter(&starter);
        }
        pid = mq_proc_parent("/proc", pid);
    }
    mq_loaded_deinit(&files);
    *offer = found;
    return is_found;
}

/* ---- Those that list ranks ----------------------------------------------- */

/* Whether all that is needed of the variables is there. */
static bool may_say(const uint64_t places[mq_loaded_names])
{
    bool has_table = (places[0] != 0 && places[1] != 0) || places[2] != 0;
    bool has_dll = false;

    for (size_t i = first_of_dlls; i < name_count; i++)
        has_dll = has_dll || places[i] != 0;
    return has_table && has_dll;
}

/* What is sought, and what was found up to now. */
struct search {
    const struct mq_dll_namer_wish *wish;
    struct mq_teller *teller;
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
        mq_tell(search->teller, mq_story, "processes %d and %d list the ranks "
                "and name different DLLs: neither's is taken", search->pid,
                pid);
    }
    mq_dll_offer_deinit(offer);
}

static void ask(struct search *search, struct starter *starter)
{
    struct mq_dll_offer offer;

    mq_dll_offer_read(&starter->target, NULL, &offer);
    if (!is_empty(&offer) && lists_them(&starter->target, search->wish))
        take(search, starter->target.pid, &offer);
    else
        mq_dll_offer_deinit(&offer);
}

/* A process more of a program that had no variables with all that it had loaded
 * is not looked at: a host has many shells.
 */
static void look_at(struct search *search, int pid)
{
    struct starter starter;
    struct mq_owner owner;
    struct mq_error error;
    struct mq_key key;
    struct stat program;
    uint32_t *value;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    if (stat(path, &program) != 0)
        return;
    key = (struct mq_key){ program.st_ino, program.st_dev };
    if (mq_map_find(&search->programs, key) != NULL
        || mq_owner_pin_named(search->wish->user, pid, &error, &owner) != mq_ok
        || mq_process_counts_anew("/proc", pid)
        || !open_starter(&search->files, &owner, &starter))
        return;
    if (may_say(starter.places))
        ask(search, &starter);
    else
        mq_map_add(&search->programs, key, 0, NULL, &value);
    close_starter(&starter);
}

/* Whether NAME in FOLDER, /proc, may be a process that is meant: those of
 * others are passed over before anything of them is opened.
 */
static bool may_be_meant(DIR *folder, const char *name,
                         const struct mq_dll_namer_wish *wish, int *pid)
{
    struct stat state;

    return mq_number_is(name, 1, INT_MAX, pid) && *pid != getpid()
           && fstatat(dirfd(folder), name, &state, 0) == 0
           && state.st_uid == wish->user->effective
           && (wish->entry == NULL
               || mq_process_has_entry("/proc", *pid, wish->entry));
}

void mq_dll_namer_seek(const struct mq_dll_namer_wish *wish,
                    struct mq_teller *teller, struct mq_dll_offer *offer)
{
    struct search search = {
        .wish = wish, .teller = teller,
        .files = loaded_files
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
