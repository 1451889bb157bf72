/* direct.h - live processes and core files as targets
 *
 * The kernel halts it and hands out its registers and memory; elfutils reads
 * its files.  Data common to all processes of a worker are read once.  A build
 * without elfutils has none of this: all fails, with a sentence that says what
 * to install.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DIRECT_H
#define MQ_DIRECT_H

#include <stdbool.h>

#include "process/pin.h"
#include "target/registers.h"
#include "target/target.h"

/* By what processes are read, "elfutils" or "elfutils and capstone"; null in a
 * build without these.
 */
const char *mq_direct_library(void);

/* Whether this build has these; the error says what to install. */
enum mq_result mq_direct_check(struct mq_error *);

/* Data common to the processes of a worker. */
struct mq_direct;

enum mq_result mq_direct_create(struct mq_error *, struct mq_direct **);
void mq_direct_destroy(struct mq_direct *);

/* Makes a target of a process, which is not halted yet: the target's live
 * operations (target.h) do that and resume it.  TYPES is an object file that
 * describes types, or null.
 */
enum mq_result mq_direct_open(struct mq_direct *, const struct mq_pin *,
                              const char *types, struct mq_error *,
                              struct mq_target **target);

/* A process that a debugger holds, and that stays so. */
struct mq_held_process {
    int pid;
    int memory;                 /* a descriptor of /proc/PID/mem, which becomes
                                   the target's if it is opened */
    struct mq_thread_registers *threads;        /* the main one is the first */
    size_t count, room;
};

/* Makes a target of it, which shows where it is. */
enum mq_result mq_direct_open_held(struct mq_direct *,
                                   const struct mq_held_process *,
                                   const char *types, struct mq_error *,
                                   struct mq_target **target);

/* The same of the core file PLACE that PROGRAM left. */
enum mq_result mq_direct_open_core(struct mq_direct *, const char *program,
                                   const char *place, const char *types,
                                   struct mq_error *,
                                   struct mq_target **target);

#endif
