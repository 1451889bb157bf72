/* awaited_file.c - files, pipes, sockets and children that threads wait for */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/awaited_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "process/activity.h"
#include "process/file_lock.h"
#include "process/proc_stat.h"
#include "process/socket_peer.h"
#include "target/registers.h"

typedef const struct mq_sleeping_call call_t;

enum { most_locked = 64 };      /* open files that are asked for locks */

struct finding {
    struct mq_resource *resource;
    struct mq_resource_texts *texts;
    char folder[32];            /* "/proc/PID" of the one that waits */
};

static bool read_memory(call_t *call, uint64_t address, size_t size,
                        void *bytes)
{
    return call->memory != NULL
           && call->memory->ops->read(call->memory, address, size, NULL, bytes)
              == mq_ok;
}

/* ---- Holders ------------------------------------------------------------ */

/* The program of the holder, which is no thread of this process, and what it
 * does: "sh, asleep in wait4".
 */
static void describe_holder(struct finding *it)
{
    const int pid = it->resource->process;
    char program[16], name[40] = "";

    mq_proc_name(pid, program);
    if (program[0] == '\0')
        return;
    if (mq_proc_state(pid) != 'R')
        mq_activity_call(pid, pid, name, sizeof name);
    snprintf(it->texts->activity, sizeof it->texts->activity, "%s%s%s",
             program, name[0] != '\0' ? ", asleep in " : "", name);
    it->resource->activity = it->texts->activity;
}

/* All that could end the wait, but for its own process if that cannot; IS_OWN:
 * that could if it were not asleep.
 */
static void take_holders(call_t *call, const struct mq_openers *all,
                         bool is_own, struct finding *it)
{
    struct mq_resource *resource = it->resource;

    if (all->first == 0) {
        if (is_own && !all->is_incomplete)
            resource->holder = mq_holder_nobody;
        return;
    }
    resource->process = all->first;
    if (!all->are_several && !all->is_incomplete
        && all->first != call->process)
        resource->holder = mq_holder_process;
    if (all->first != call->process)
        describe_holder(it);
}

/* ---- Ends of pipes and sockets ------------------------------------------ */

/* Those that have the other end of a pipe or socket open. */
static void find_ends(call_t *call, const struct mq_file_end *end,
                      struct finding *it)
{
    struct mq_openers others = mq_openers_find("/proc", call->is_alone
                                               ? call->process : 0,
                                               mq_open_file_is_end, end);

    take_holders(call, &others,
                 mq_open_file_any(it->folder, mq_open_file_is_end, end)
                 == mq_ok, it);
}

static bool is_fifo(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

static void set_name(struct finding *it, bool is_input, const char *name)
{
    snprintf(it->texts->name, sizeof it->texts->name, "%s%.100s",
             is_input ? "standard input, " : "", name);
    it->resource->name = it->texts->name;
}

/* A file by its descriptor, from which it reads, or to which it writes. */
static void find_file(call_t *call, uint64_t descriptor, bool writes,
                      struct finding *it)
{
    const bool is_input = descriptor == STDIN_FILENO && !writes;
    char name[PATH_MAX], number[16], path[64], other[32];
    const char *digits = name + strlen("socket:[");
    struct mq_file_end end = { name, writes ? mq_end_reads : mq_end_writes };
    struct mq_file_end peers_end = { other, mq_end_reads };
    uint64_t inode, peer;

    snprintf(number, sizeof number, "%d", (int)descriptor);
    snprintf(path, sizeof path, "%s/fd/%s", it->folder, number);
    if (!mq_open_file_name(it->folder, number, name, sizeof name))
        return;
    if (strncmp(name, "socket:[", 8) == 0) {
        it->resource->kind = mq_resource_socket;
        if (mq_number_read(&digits, UINT64_MAX, &inode) == mq_number_ok
            && mq_socket_peer(it->folder, inode, &peer)) {
            snprintf(other, sizeof other, "socket:[%" PRIu64 "]", peer);
            find_ends(call, &peers_end, it);
        }
    } else if (strncmp(name, "pipe:[", 6) == 0
               || (name[0] == '/' && is_fifo(path))) {
        it->resource->kind = mq_resource_pipe;
        find_ends(call, &end, it);
    } else if (strncmp(name, "/dev/pts/", 9) == 0
               || strncmp(name, "/dev/tty", 8) == 0
               || strcmp(name, "/dev/console") == 0) {
        it->resource->kind = mq_resource_terminal;
    }
    set_name(it, is_input, name);
}

static void find_read(call_t *call, struct finding *it)
{
    find_file(call, call->arguments[0], false, it);
}

static void find_write(call_t *call, struct finding *it)
{
    find_file(call, call->arguments[0], true, it);
}

/* A poll of one file, for any time. */
static void find_polled(call_t *call, struct finding *it)
{
    struct pollfd one;
    bool is_timed = strcmp(call->name, "poll") == 0
                    ? (int)call->arguments[2] >= 0 : call->arguments[2] != 0;

    if (call->arguments[1] == 1 && !is_timed
        && read_memory(call, call->arguments[0], sizeof one, &one)
        && one.fd >= 0)
        find_file(call, (uint64_t)one.fd, (one.events & POLLIN) == 0, it);
}

static void find_selected(call_t *call, struct finding *it)
{
    const int count = (int)call->arguments[0];
    const bool writes = call->arguments[1] == 0;
    const uint64_t address = call->arguments[writes ? 2 : 1];
    int one = -1;

    if (call->arguments[4] != 0 || count <= 0 || count > FD_SETSIZE
        || (!writes && call->arguments[2] != 0))
        return;
    for (int i = 0; i < count; i++) {
        unsigned char bits;

        if (!read_memory(call, address + (uint64_t)i / 8, 1, &bits))
            return;
        if ((bits >> i % 8 & 1) == 0)
            continue;
        if (one >= 0)
            return;
        one = i;
    }
    if (one >= 0)
        find_file(call, (uint64_t)one, writes, it);
}

/* A FIFO that nobody has opened at its other end: anybody may. */
static void find_opened(call_t *call, struct finding *it)
{
    const bool has_folder = strcmp(call->name, "openat") == 0;
    char name[512] = "", path[PATH_MAX];

    for (size_t i = 0; i + 1 < sizeof name; i++)
        if (!read_memory(call, call->arguments[has_folder] + i, 1, &name[i])
            || name[i] == '\0')
            break;
    if (name[0] == '/')
        snprintf(path, sizeof path, "%s/root%s", it->folder, name);
    else if (has_folder && (int)call->arguments[0] != AT_FDCWD)
        snprintf(path, sizeof path, "%s/fd/%d/%s", it->folder,
                 (int)call->arguments[0], name);
    else
        snprintf(path, sizeof path, "%s/cwd/%s", it->folder, name);
    if (name[0] == '\0' || !is_fifo(path))
        return;
    it->resource->kind = mq_resource_pipe;
    set_name(it, false, name);
}

/* ---- Locks --------------------------------------------------------------- */

static void find_lock(call_t *call, struct mq_file_lock *wanted,
                      struct finding *it)
{
    const int descriptor = (int)call->arguments[0];
    char name[PATH_MAX], number[16];
    struct mq_openers holders;

    snprintf(number, sizeof number, "%d", descriptor);
    it->resource->kind = mq_resource_file_lock;
    if (mq_open_file_name(it->folder, number, name, sizeof name))
        set_name(it, false, name);
    if (wanted->first > wanted->last)
        return;
    holders = mq_file_lock_holders("/proc", call->process, descriptor, wanted);
    if (holders.first == call->process && !holders.are_several
        && call->is_alone && wanted->kind != mq_lock_of_process)
        it->resource->holder = mq_holder_nobody;
    else
        take_holders(call, &holders, false, it);
}

/* Begins with the file; one without a known inode is waited for, of nobody that
 * is known: it ends before it begins.
 */
static struct mq_file_lock lock_of(call_t *call, enum mq_file_lock_kind kind,
                                   struct finding *it,
                                   struct mq_open_file *file)
{
    struct mq_file_lock wanted = { .kind = kind, .last = UINT64_MAX };

    if (mq_open_file_read(it->folder, (int)call->arguments[0], file)) {
        wanted.major = file->major;
        wanted.minor = file->minor;
        wanted.inode = file->inode;
    } else {
        wanted.first = 1;
        wanted.last = 0;
    }
    return wanted;
}

static void find_flock(call_t *call, struct finding *it)
{
    struct mq_open_file file;
    struct mq_file_lock wanted = lock_of(call, mq_lock_of_whole_file, it,
                                         &file);

    wanted.is_shared = ((int)call->arguments[1] & LOCK_SH) != 0;
    find_lock(call, &wanted, it);
}

/* The bytes of a lock of fcntl; false: not known. */
static bool take_range(const struct flock *asked,
                       const struct mq_open_file *file,
                       struct mq_file_lock *wanted)
{
    uint64_t from = asked->l_whence == SEEK_CUR ? file->position : 0;
    int64_t first, end;

    if (asked->l_whence == SEEK_END || from > INT64_MAX
        || __builtin_add_overflow((int64_t)from, asked->l_start, &first)
        || __builtin_add_overflow(first, asked->l_len, &end)
        || first < 0 || end < 0)
        return false;
    wanted->first = (uint64_t)(asked->l_len < 0 ? end : first);
    wanted->last = asked->l_len == 0 ? UINT64_MAX
                   : (uint64_t)(asked->l_len < 0 ? first : end) - 1;
    return true;
}

static void find_fcntl(call_t *call, struct finding *it)
{
    const int command = (int)call->arguments[1];
    struct mq_open_file file;
    struct mq_file_lock wanted;
    struct flock asked;

    if ((command != F_SETLKW && command != F_OFD_SETLKW)
        || !read_memory(call, call->arguments[2], sizeof asked, &asked))
        return;
    wanted = lock_of(call, command == F_SETLKW ? mq_lock_of_process
                           : mq_lock_of_open_file, it, &file);
    wanted.is_shared = asked.l_type == F_RDLCK;
    if (wanted.first <= wanted.last && !take_range(&asked, &file, &wanted)) {
        wanted.first = 1;
        wanted.last = 0;
    }
    find_lock(call, &wanted, it);
}

/* Whose exclusive lock keeps a process from any lock of its open file. */
static struct mq_openers excluding(int process, const struct mq_open_file *file,
                                   int descriptor)
{
    struct mq_openers holders = { 0, false, true };

    for (int kind = 0; holders.first == 0 && kind < mq_file_lock_kinds; kind++)
        holders = mq_file_lock_holders(
            "/proc", process, descriptor,
            &(struct mq_file_lock){
                .kind = (enum mq_file_lock_kind)kind, .is_shared = true,
                .process = -1, .major = file->major, .minor = file->minor,
                .inode = file->inode, .last = UINT64_MAX });
    return holders;
}

/* A nap between attempts at a lock: of all files that it has open, another
 * process has locked one.  Whether it asks for that is not known.
 */
static void find_polled_lock(call_t *call, struct finding *it)
{
    int regular = 0, descriptor, locked = -1;
    struct mq_openers holders, holder = { 0, false, true };
    struct mq_open_file file;
    char path[64], name[PATH_MAX], number[16];
    struct dirent *entry;
    struct stat status;
    DIR *own;

    snprintf(path, sizeof path, "%s/fd", it->folder);
    own = opendir(path);
    while (own != NULL && regular < most_locked
           && (entry = readdir(own)) != NULL) {
        if (!mq_number_is(entry->d_name, 0, INT_MAX, &descriptor)
            || fstatat(dirfd(own), entry->d_name, &status, 0) != 0
            || !S_ISREG(status.st_mode)
            || !mq_open_file_read(it->folder, descriptor, &file))
            continue;
        regular++;
        holders = excluding(call->process, &file, descriptor);
        if (holders.first == 0 || holders.first == call->process)
            continue;
        if (locked >= 0 || holders.are_several)
            regular = most_locked;
        locked = descriptor;
        holder = holders;
    }
    if (own != NULL)
        closedir(own);
    snprintf(number, sizeof number, "%d", locked);
    if (locked < 0 || regular == most_locked
        || !mq_open_file_name(it->folder, number, name, sizeof name))
        return;
    it->resource->kind = mq_resource_polled_lock;
    set_name(it, false, name);
    take_holders(call, &holder, false, it);
}

/* ---- Children ------------------------------------------------------------ */

/* All children of the process. */
static struct mq_openers children_of(int process)
{
    struct mq_openers children = { 0, false, false };
    DIR *all = opendir("/proc");
    struct dirent *entry;
    int pid;

    while (all != NULL && (entry = readdir(all)) != NULL) {
        if (!mq_number_is(entry->d_name, 1, INT_MAX, &pid)
            || mq_proc_parent("/proc", pid) != process)
            continue;
        children.are_several |= children.first != 0;
        if (children.first == 0)
            children.first = pid;
    }
    if (all != NULL)
        closedir(all);
    return children;
}

/* What the child waits for itself: the chain goes on there. */
static void follow_child(call_t *call, struct finding *it)
{
    const int child = it->resource->process;
    uint64_t arguments[mq_call_arguments];
    char name[40], own[sizeof it->texts->name];
    const struct mq_sleeping_call its = {
        .process = child, .thread = child, .name = name,
        .arguments = arguments, .is_alone = true
    };
    struct mq_resource_texts texts;
    struct mq_resource behind;
    struct mq_proc_stat stat;

    if (!mq_proc_stat_read(child, &stat) || stat.threads != 1
        || !mq_activity_arguments(child, child, arguments, mq_call_arguments,
                                  name, sizeof name)
        || strncmp(name, "wait", 4) == 0)
        return;
    behind = mq_file_find(&its, &texts);
    if (behind.holder != mq_holder_process || behind.name == NULL
        || (behind.process == call->process && !call->is_alone))
        return;
    snprintf(own, sizeof own, "of its child %d, %.90s", child, behind.name);
    *it->resource = behind;
    *it->texts = texts;
    memcpy(it->texts->name, own, sizeof own);
    it->resource->name = it->texts->name;
    it->resource->activity = behind.activity != NULL ? it->texts->activity
                                                     : NULL;
    if (behind.process == call->process) {
        it->resource->holder = mq_holder_thread;
        it->resource->thread = call->thread;
    }
}

static void find_child(call_t *call, struct finding *it)
{
    const bool is_waitid = strcmp(call->name, "waitid") == 0;
    const int wanted = (int)call->arguments[is_waitid];
    const bool is_one = is_waitid ? call->arguments[0] == P_PID : wanted > 0;
    struct mq_openers children = { wanted, false, false };

    if (!is_one)
        children = children_of(call->process);
    it->resource->kind = mq_resource_child;
    if (children.first != 0        /* not a number of another namespace */
        && mq_proc_parent("/proc", children.first) == call->process)
        take_holders(call, &children, false, it);
    if (it->resource->holder == mq_holder_process)
        follow_child(call, it);
}

/* ---- Calls --------------------------------------------------------------- */

struct mq_resource mq_file_find(call_t *call, struct mq_resource_texts *texts)
{
    static const struct {
        const char *name;
        void (*find)(call_t *, struct finding *);
    } calls[] = {
        { "clock_nanosleep", find_polled_lock },
        { "nanosleep", find_polled_lock },
        { "sleep", find_polled_lock }, { "usleep", find_polled_lock },
        { "fcntl", find_fcntl }, { "flock", find_flock },
        { "open", find_opened }, { "openat", find_opened },
        { "poll", find_polled }, { "ppoll", find_polled },
        { "pselect6", find_selected }, { "select", find_selected },
        { "read", find_read }, { "readv", find_read },
        { "recvfrom", find_read }, { "recvmsg", find_read },
        { "sendmsg", find_write }, { "sendto", find_write },
        { "write", find_write }, { "writev", find_write },
        { "wait4", find_child }, { "waitid", find_child }
    };
    struct mq_resource resource = { .kind = mq_resource_none, .rank = -1 };
    struct finding it = { &resource, texts, "" };

    snprintf(it.folder, sizeof it.folder, "/proc/%d", call->process);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(call->name, calls[i].name) == 0)
            calls[i].find(call, &it);
    return resource;
}
