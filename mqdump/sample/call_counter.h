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

struct mq_call_count {
    uint64_t call;              /* address of the name of the one that it is in,
                                   or 0 */
    uint64_t returned;          /* calls so far */
    uint64_t polls;             /* the latest of them that have found nothing,
                                   one after the other */
};

/* Reads that from process PID of this host, which runs; false if it cannot be
 * read.  Polls are noted by newer libraries only.
 */
bool mq_call_counter_read(int pid, uint64_t counter_at,
                          struct mq_call_count *count);

#endif
