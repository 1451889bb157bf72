/* precedence.h - scheduling priority of mqdump
 *
 * Ranks that poll are always ready to run: where they outnumber the processors,
 * a process that stops or copies them would wait behind all of them, while the
 * first are already stopped.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PRECEDENCE_H
#define MQ_PRECEDENCE_H

#include <stdbool.h>

/* Takes precedence for what is soon done, and whether the system permits that.
 * Children that are made meanwhile have none.
 */
bool mq_precedence_take(void);
void mq_precedence_give_up(bool is_taken);

/* Has the best niceness that the system permits from now on, for what takes
 * longer.  Children that are made later have none.
 */
void mq_precedence_prefer(void);

/* Begins a session of its own.  Linux parts processors among sessions first, so
 * that this process does not share with all that another one has started.
 */
void mq_precedence_part(void);

#endif
