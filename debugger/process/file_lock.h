/* file_lock.h - locks of files, and who can release them
 *
 * From /proc/locks and /proc/PID/fdinfo, which have the same words for a lock.
 * The kernel lists a thread that waits for one no longer once it is stopped: a
 * lock that it waits for is one that conflicts with what it asks for.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FILE_LOCK_H
#define MQ_FILE_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "process/open_file.h"

enum mq_file_lock_kind {
    mq_lock_of_process,         /* fcntl: F_SETLKW */
    mq_lock_of_open_file,       /* fcntl: F_OFD_SETLKW */
    mq_lock_of_whole_file,      /* flock */
    mq_file_lock_kinds
};

struct mq_file_lock {
    enum mq_file_lock_kind kind;
    bool is_shared;
    int process;                /* that took it; -1: the kernel does not say */
    unsigned major, minor;
    uint64_t inode;
    uint64_t first, last;       /* bytes; UINT64_MAX: however long it gets */
};

/* Takes what is behind the number of a lock; false, and *LOCK untouched, if it
 * is none, or one that waits.
 */
bool mq_file_lock_take(const char *words, struct mq_file_lock *lock);

/* The processes that hold a lock which keeps PROCESS, in the folder PROC, from
 * one that it WANTED by its DESCRIPTOR.  Only those to which the process that
 * took it may have passed it on can be among those that could not be read.
 */
struct mq_openers mq_file_lock_holders(const char *proc, int process,
                                       int descriptor,
                                       const struct mq_file_lock *wanted);

#endif
