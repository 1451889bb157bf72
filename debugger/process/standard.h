/* standard.h - set-up of standard streams and inherited descriptors
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STANDARD_H
#define MQ_STANDARD_H

#include <stdbool.h>

/* Before a program opens or prints anything.  Closed ones of the three become
 * /dev/null, so that no file or pipe is taken for one of them: what is read is
 * empty, and what is written an error as before.  Standard error is written by
 * lines, not by characters.  As many files may be open as the system lets this
 * program have.  False if that cannot be done.
 */
bool mq_standard_prepare(void);

/* In a child that executes another program: it may have as many files open as
 * this one at first, since some close all that there could be one by one.
 */
void mq_standard_restore(void);

/* Leaves standard input and output to others that have them too: here they
 * become /dev/null.
 */
void mq_standard_leave(void);

/* Closes all but the three and two others: a reader that waits for the end of
 * the caller's pipe does not wait for this forked process.
 */
void mq_close_others(int one, int other);

#endif
