/* proc_status.h - reader of /proc/PID/status
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PROC_STATUS_H
#define MQ_PROC_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* As in proc(5); numbers that are missing are 0. */
struct mq_proc_status {
    int process;                /* whose thread it is, or itself */
    int tracer, seccomp;
    uid_t real, effective, saved;
    uint64_t permitted, in_effect;      /* capabilities */
    uint64_t handled, ignored;  /* signals, by bits: number 1's is the lowest */
    uint64_t pending, blocked;  /* the same; pending for all of its process or
                                   for it alone */
    uint64_t waits, preemptions;        /* how often it left the processor */
};

/* False, and *STATUS untouched, if it cannot be read or has no users. */
bool mq_proc_status_read(int number, struct mq_proc_status *status);

#endif
