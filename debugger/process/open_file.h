/* open_file.h - open files of processes, and who else has them open
 *
 * From /proc/PID/fd and fdinfo, which never ask a file system, so that one that
 * does not answer holds nothing up.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_OPEN_FILE_H
#define MQ_OPEN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The name that the kernel has for an open file, "/home/a", "pipe:[4711]", to
 * NAME; false if it is not known whole.
 */
bool mq_open_file_name(const char *folder, const char *descriptor, char *name,
                       size_t room);

/* The contents of fdinfo/DESCRIPTOR. */
struct mq_open_file {
    uint64_t position, inode;
    unsigned major, minor;      /* of the file system, as /proc/locks has it */
    char file_system[96];       /* "nfs4 server:/home"; empty: not known */
};

/* FOLDER is "/proc/PID".  False, and *FILE untouched, if any is not known: the
 * inode before Linux 5.14.
 */
bool mq_open_file_read(const char *folder, int descriptor,
                       struct mq_open_file *file);

/* Whether a process has, by DESCRIPTOR, what is looked for. */
typedef bool (*mq_open_file_test)(const char *folder, const char *descriptor,
                                  const void *closure);

/* Whether the process of FOLDER does: mq_absent, or mq_failed if that cannot be
 * read.
 */
enum mq_result mq_open_file_any(const char *folder, mq_open_file_test has,
                                const void *closure);

/* The processes that have it. */
struct mq_openers {
    int first;                  /* 0: none was found */
    bool are_several;           /* the first is not the only one */
    bool is_incomplete;         /* some processes could not be read */
};

/* Looks at all processes in the folder PROC, but EXCEPT. */
struct mq_openers mq_openers_find(const char *proc, int except,
                                  mq_open_file_test has, const void *closure);

/* A test: whether it is the file of this name, and open for one thing. */
struct mq_file_end {
    const char *name;
    enum { mq_end_reads = 4, mq_end_writes = 2 } use;
};

bool mq_open_file_is_end(const char *folder, const char *descriptor,
                         const void *end);

#endif
