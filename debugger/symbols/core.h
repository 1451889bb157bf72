/* core.h - reader of core files
 *
 * Method: its notes have the threads with their registers, which files were
 * mapped where, and the kernel's auxiliary vector.  Memory that is the same in
 * a mapped file is left out of core files, and comes from that; a file counts
 * as mapped if its first bytes are those of the core file.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CORE_H
#define MQ_CORE_H

#include "target/registers.h"
#include "target/target.h"

struct mq_core;

/* Reads the core file FILE, which is called NAME in messages and as a target,
 * of the program PROGRAM; both are descriptors, which become the core's if that
 * goes well.  mq_absent: it is of a machine that is not known here.
 */
enum mq_result mq_core_open(int file, int program, const char *name,
                            struct mq_error *, struct mq_core **);

/* Its memory, which destroys the core. */
struct mq_target *mq_core_memory(struct mq_core *);

/* The threads; the main one is the first. */
const struct mq_thread_registers *mq_core_threads(const struct mq_core *,
                                                  size_t *count);

/* The auxiliary vector of the process, as in /proc/PID/auxv. */
const void *mq_core_auxv(const struct mq_core *, size_t *length);

/* A mapping of a file.  PATH is as it was called then. */
struct mq_core_mapping {
    uint64_t begin, end, offset;
    const char *path;
    size_t file;                /* its place among the files */
};

/* All of them, by address. */
const struct mq_core_mapping *mq_core_mappings(const struct mq_core *,
                                               size_t *count);

/* Where the memory that ADDRESS is in ends; 0 if there is none. */
uint64_t mq_core_end(const struct mq_core *, uint64_t address);

/* The file that is mapped at ADDRESS: a descriptor that stays the core's, or -1
 * if it is not there any more.
 */
int mq_core_file(struct mq_core *, uint64_t address);

#endif
