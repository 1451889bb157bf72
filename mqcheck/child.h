/* child.h - work in a child process that a DLL may crash or block */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQCHECK_CHILD_H
#define MQCHECK_CHILD_H

/* How a child's work ended. */
enum child_end {
    child_is_done,
    child_crashed,
    child_hung
};

/* Does WORK(ARGUMENT) in a child, which is ended when one of its calls takes
 * SECONDS, and gives each line that it sends to TAKE(CONTEXT, line), which it
 * may change; LOOK(CONTEXT) is called some times a second.  Nothing that the
 * child started remains.
 */
enum child_end child_run(void (*work)(const void *argument),
                         const void *argument, int seconds,
                         void (*take)(void *context, char *line),
                         void (*look)(void *context), void *context);

/* What ended the child that crashed last: "signal 11 (Segmentation fault)". */
const char *child_cause(void);

#endif
