/* memory.h - the memory of a process that runs on meanwhile
 *
 * Read and written by way of /proc, so that nothing is stopped and nothing can
 * be left stopped.  Names and types are not known here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MEMORY_H
#define MQ_MEMORY_H

#include "target/target.h"

/* The memory of process PID of this host, whose machine is that of LIKE. */
enum mq_result mq_memory_open(int pid, const struct mq_target *like,
                              struct mq_error *, struct mq_target **target);

/* Where in process TO lies what is at ADDRESS in process FROM, if both have the
 * same file there: the file's code and data keep their distances wherever it is
 * loaded.  mq_absent if ADDRESS is of no file, or TO has not loaded that one.
 */
enum mq_result mq_memory_move(int from, int to, uint64_t address,
                              struct mq_error *, uint64_t *moved);

#endif
