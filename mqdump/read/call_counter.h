/* call_counter.h - MPI call counter of a running process
 *
 * It is not stopped for that: a call in which it was, and a count that is the
 * same, prove that the call has not returned.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CALL_COUNTER_H
#define MQ_CALL_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads from process PID of this host, which runs, how many calls have returned
 * and the address of the name of the one that it is in, 0 for none; false if it
 * cannot be read.
 */
bool mq_call_counter_read(int pid, uint64_t counter_at, uint64_t *call,
                         uint64_t *counter);

#endif
