/* command_proxy.h - proxy process of a command: its signals and exit status
 *
 * To its parent it behaves as the command: it forwards signals to the command,
 * and ends with the command's status.  Its child, which starts the command, may
 * crash by what it reads; the command continues then.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_COMMAND_PROXY_H
#define MQ_COMMAND_PROXY_H

enum {
    mq_proxy_ended = 124,       /* the child has ended the command on purpose;
                                   like timeout(1) */
    mq_proxy_failed = 125       /* the command was not started; the same */
};

/* Does WORK(ARGUMENT, LINK) in a child that ends with this process.  Work
 * reports a command that it starts (below), and does not wait for it.  Returns
 * the exit status of the command or, if there was none, the value of work.
 */
int mq_command_proxy(int (*work)(void *argument, int link), void *argument);

/* For work: the command is process PID; work has ended it on purpose. */
void mq_command_proxy_started(int link, int pid);
void mq_command_proxy_ended(int link);

#endif
