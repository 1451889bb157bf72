/* memory.h - memory of a running process, through /proc/PID/mem
 *
 * Read and written by way of /proc, so that nothing is stopped and nothing can
 * be left stopped.  It is that of the program that the process ran when it was
 * opened, and of no other that it executes since: that is never touched.  Names
 * and types are not known here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MEMORY_H
#define MQ_MEMORY_H

#include <stdbool.h>

#include "target/target.h"

/* The memory of process PID of this host. */
enum mq_result mq_memory_open(int pid, struct mq_error *,
                              struct mq_target **target);

/* The same by a descriptor, which becomes the target's. */
enum mq_result mq_memory_adopt(int pid, int file, struct mq_error *,
                               struct mq_target **target);
int mq_memory_file(const struct mq_target *);

/* Whether there is nothing left to be read or written: the process has ended,
 * or executes another program.
 */
bool mq_memory_is_gone(const struct mq_target *);

#endif
