/* table_names.h - whether a process may have what debuggers look for in
 * starters
 *
 * gdb takes its time to read the symbols of a starter, and those of most have
 * no table of the job's processes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TABLE_NAMES_H
#define MQ_TABLE_NAMES_H

#include <stdbool.h>

/* Whether process PID of PROC, "/proc" but in tests, may have a variable of
 * mpir.h, mpi2dd.h or dll/choice.h: it does not if all files that it executes
 * can be read and none has such a name among those of its symbols.  Names that
 * only separate debug information has are not looked for.
 */
bool mq_process_may_have_tables(const char *proc, int pid);

#endif
