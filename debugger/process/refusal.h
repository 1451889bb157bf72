/* refusal.h - reasons why a process cannot be traced, with remedies
 *
 * The kernel says of all reasons the same, "not permitted".  The reason is
 * found in the /proc data of both processes; the rules are those of ptrace(2).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_REFUSAL_H
#define MQ_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* Data of the process and of this program. */
struct mq_refusal {
    int pid;
    int tracer;                 /* of the process: its debugger; 0: nobody */
    char tracer_name[16];       /* the program of that; empty: not known */
    uid_t user;                 /* of the process */
    uid_t own_user;
    uint64_t may, own_may;      /* the capabilities of both, in bits */
    int scope;                  /* kernel.yama.ptrace_scope; 0: there is none */
    bool shares_users;          /* both are in one user namespace */
    bool is_filtered;           /* system calls of this program are (seccomp) */
};

/* Reads it; mq_absent if there is no such process. */
enum mq_result mq_refusal_read(int pid, struct mq_refusal *);

/* Fails with the reason, and with what helps. */
enum mq_result mq_refusal_reason(const struct mq_refusal *, struct mq_error *);

/* Both at once, for a process that has been refused. */
enum mq_result mq_refusal_explain(int pid, struct mq_error *);

/* For a process that cannot be stopped, since THREAD of it is in state D. */
enum mq_result mq_refusal_explain_wait(int pid, int thread, struct mq_error *);

/* Whether this program may trace a process that it starts; if not, it may trace
 * none.
 */
bool mq_may_trace(void);

/* Yama's setting kernel.yama.ptrace_scope; 0 where there is none. */
int mq_refusal_scope(void);

#endif
