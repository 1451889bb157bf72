/* precedence.c - real-time scheduling, the lowest that there is */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/precedence.h"

#include <sched.h>

static bool schedule(int policy, int priority)
{
    const struct sched_param how = { .sched_priority = priority };

    return sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &how) == 0;
}

/* Who was given another policy keeps it. */
bool mq_precedence_take(void)
{
    return sched_getscheduler(0) == SCHED_OTHER && schedule(SCHED_RR, 1);
}

void mq_precedence_give_up(bool is_taken)
{
    if (is_taken)
        schedule(SCHED_OTHER, 0);
}
