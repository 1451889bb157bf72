/* precedence.h - this process comes before those that compute, for a moment
 *
 * Ranks that poll are always ready to run: where they are more than processors,
 * whoever stops or copies them would wait for its turn behind all of them, while
 * the first already stand still.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PRECEDENCE_H
#define MQ_PRECEDENCE_H

/* Begins and ends what is soon done; without effect if the system does not
 * permit it.  A child made meanwhile has none.
 */
void mq_precedence_begin(void);
void mq_precedence_end(void);

#endif
