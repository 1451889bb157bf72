/* command.h - a program that is started, and held first
 *
 * It has mqdump's own environment and folder, and a process group of
 * its own, so that an interruption at the terminal reaches mqdump only.  Its
 * input is mqdump's unless that is a terminal: then it has none.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_COMMAND_H
#define MQ_COMMAND_H

#include <sys/types.h>

#include "base/error.h"

struct mq_command {
    pid_t pid;                  /* 0: it has been waited for */
    int gate;                   /* written to, the program is executed */
    int report;                 /* says why it could not be */
};

/* Makes the process, which waits before it executes WORDS (null after the last
 * of them; the program is looked for in the PATH) with LIBRARY preloaded,
 * unless that is null, and the descriptor OUTPUT as its standard output.  It
 * ends with mqdump.
 */
enum mq_result mq_command_start(char *const *words, const char *library,
                                int output, struct mq_error *,
                                struct mq_command *command);

/* Has it go on to execute the program, once it is let run. */
enum mq_result mq_command_release(struct mq_command *command,
                                  struct mq_error *);

/* Whether the program, called NAME, could not be executed, and why. */
enum mq_result mq_command_check(struct mq_command *command, const char *name,
                                struct mq_error *);

/* Ends the process and all of its group, politely first; at most a few
 * seconds.  Returns the status of waitpid, or -1 if it is not known.
 */
int mq_command_end(struct mq_command *command);

#endif
