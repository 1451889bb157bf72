/* statistics.h - cost of reading a process
 *
 * Counted by the callbacks that a DLL asks, one count for each image and each
 * process.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STATISTICS_H
#define MQ_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

/* Cost of a process's queues so far. */
struct mq_dll_statistics {
    uint64_t fetches;           /* calls of mqs_fetch_data_fp */
    uint64_t failed_fetches;
    uint64_t bytes;             /* read by them */
    uint64_t lookups;           /* symbols, functions, types and members */
    uint64_t allocations;       /* calls of mqs_malloc_fp */
};

#endif
