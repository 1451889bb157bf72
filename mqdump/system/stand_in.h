/* stand_in.h - proxy process of a command: its signals and exit status
 *
 * Whoever starts it may treat it as the command: signals that are sent to it go
 * to the command, and it ends as the command does.  Its child, which starts the
 * command, may be ended by what it reads; the command goes on then.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STAND_IN_H
#define MQ_STAND_IN_H

enum {
    mq_stand_in_ended = 124,    /* the child has ended the command, as it
                                   should; like timeout(1) */
    mq_stand_in_failed = 125    /* the command was not started; the same */
};

/* Does WORK(ARGUMENT, LINK) in a child that ends with this process.  Work tells
 * LINK of the command (below), if it starts one, and does not wait for it.
 * Returns how that ended, or what work returned if there was no command.
 */
int mq_stand_in(int (*work)(void *argument, int link), void *argument);

/* For work: process PID is the command.  It was ended for good reasons. */
void mq_stand_in_is_for(int link, int pid);
void mq_stand_in_has_ended(int link);

#endif
