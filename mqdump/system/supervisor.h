/* supervisor.h - runs the work in a child, and checks that it finished
 *
 * A DLL runs inside mqdump and may end it, with any exit status, or crash it.
 * So all work is done in a child, whose last word is that it has come to its
 * end; without that word whatever it answered is a failure.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SUPERVISOR_H
#define MQ_SUPERVISOR_H

/* Does WORK(ARGUMENT) in a child and gives what it returned.  Signals that ask
 * this process to end are passed on to the child, and if it dies of one, or
 * had all but done its work when one came, so does this process.  A child that
 * ends in any other way is told on stderr, and FAILURE returned.
 */
int mq_supervise(int (*work)(void *argument), void *argument, int failure);

#endif
