/* run_in_child.h - runs the work in a child, and checks that it finished
 *
 * A DLL runs inside mqdump and may end it, with any exit status, or crash it.
 * So all work is done in a child that reports its end through a pipe; without
 * that report its exit status counts as a failure.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RUN_IN_CHILD_H
#define MQ_RUN_IN_CHILD_H

/* Does WORK(ARGUMENT) in a child and gives what it returned.  Signals that ask
 * this process to end are passed on to the child, and if it dies of one, or
 * had all but done its work when one came, so does this process.  If the child
 * ends in any other way, that is reported on stderr, and FAILURE returned.
 */
int mq_run_in_child(int (*work)(void *argument), void *argument, int failure);

#endif
