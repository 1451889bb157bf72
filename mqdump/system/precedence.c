/* Real-time scheduling, the lowest that there is. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/precedence.h"

#include <sched.h>

static void schedule(int policy, int priority)
{
    const struct sched_param how = { .sched_priority = priority };

    sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &how);
}

void mq_precedence_begin(void)
{
    schedule(SCHED_RR, 1);
}

void mq_precedence_end(void)
{
    schedule(SCHED_OTHER, 0);
}
