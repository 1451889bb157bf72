/* command.h - start, hold, release and end of a command
 *
 * It has mqdump's own environment and folder.  Usually it has a process group
 * of its own, so that an interruption at the terminal reaches mqdump only, and
 * its input is mqdump's unless that is a terminal: then it has none.  One for
 * which mqdump is a proxy has all that mqdump was given, the terminal, too.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_COMMAND_H
#define MQ_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "mqdump/launch/preload.h"

/* Launchers give ranks process groups of their own, and shells leave processes
 * to nobody when they end; but a program keeps the environment that it was
 * executed with.  So each command gets a token there, by which its descendants
 * are found.
 */
struct mq_descendants_token {
    char entry[80];             /* NAME=VALUE */
};

struct mq_command {
    pid_t pid;                  /* 0: it has been waited for */
    pid_t waiter;               /* of one with a proxy: a child that ends with
                                   it; else 0 */
    struct mq_descendants_token mark;    /* of all that comes from it */
    int gate;                   /* written to, the program is executed */
    int report;                 /* says why it could not be */
};

/* Makes the process, which waits before it executes WORDS (null after the last
 * of them; the program is looked for in the PATH) with what PRELOAD says, and
 * the descriptor OUTPUT as its standard output.  It ends with mqdump.
 */
enum mq_result mq_command_start(char *const *words,
                                const struct mq_preload *preload, int output,
                                struct mq_error *, struct mq_command *command);

/* The same with the parent of this process as its proxy: the command joins the
 * parent's process group, outlives this process, and is reaped by the parent.
 * So it is not a child of this process, which may trace it: a tracer that is
 * also the parent would take the end of the child.
 */
enum mq_result mq_command_start_for_parent(char *const *words,
                                           const struct mq_preload *preload,
                                           struct mq_error *,
                                           struct mq_command *command);

/* Has it go on to execute the program, once it is let run. */
enum mq_result mq_command_release(struct mq_command *command,
                                  struct mq_error *);

/* Whether the program, called NAME, could not be executed, and why. */
enum mq_result mq_command_check(struct mq_command *command, const char *name,
                                struct mq_error *);

/* Ends the process and all of its group or, of one with a proxy, all its
 * descendants, first by SIGTERM; at most a few seconds.  Returns the status of
 * waitpid, or -1 if it is not known.
 */
int mq_command_end(struct mq_command *command);

/* Sends all descendants of a command a signal, or none if it is 0, and counts
 * them; without those that belong to another user by now, and without zombies.
 */
size_t mq_descendants_signal(const struct mq_descendants_token *, int number);

#endif
