/* entry_call.h - monitored calls into the DLL
 *
 * Every call of an entry point is enclosed by enter and leave, or leave_code if
 * it answers a code:
 *
 *     enter("mqs_next_operation");
 *     status = leave_code(entries->next_operation(process, operation));
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQCHECK_ENTRY_CALL_H
#define MQCHECK_ENTRY_CALL_H

#include "dll/dll.h"

/* The name of the call that is under way, or of the last one, in memory that
 * the parent sees as well.
 */
extern char *call_under_way;

/* How many there were; the parent sees that as well. */
unsigned long calls_made(void);

/* Begins watching: makes room for the two.  Before the first child is made. */
void calls_prepare(void);

/* In the child: from now on stdout and stderr lead to where they are watched.
 */
void calls_watch_output(void);

void enter(const char *entry_point);
void leave(void);
int leave_code(int code);

/* In place of leave after what libc's loader does, which allocates. */
void leave_loader(void);

/* Whether CODE is an error. */
int is_error(int code);

#endif
