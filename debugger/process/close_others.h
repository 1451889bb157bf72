/* close_others.h - a forked process holds nothing open but what it needs
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CLOSE_OTHERS_H
#define MQ_CLOSE_OTHERS_H

/* Closes all but standard input, output, error, and two: who waits for the end
 * of a pipe of the caller's does not wait for this process.
 */
void mq_close_others(int one, int other);

#endif
