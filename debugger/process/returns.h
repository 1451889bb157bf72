/* returns.h - count of a call's returns, by a hardware breakpoint
 *
 * A breakpoint event of the processor counts how often a thread executes the
 * instruction that a call returns to.  It neither stops nor changes the
 * process, and is gone with its descriptor.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RETURNS_H
#define MQ_RETURNS_H

#include <stdint.h>

#include "base/error.h"

/* Begins to count how often thread PID of this host executes what is at
 * ADDRESS.  mq_absent where the system or the processor does not allow that.
 */
enum mq_result mq_returns_open(int pid, uint64_t address, int *counter);

/* The count up to now: mq_ok, or mq_absent if it is not known any more. */
enum mq_result mq_returns_read(int counter, uint64_t *count);

#endif
