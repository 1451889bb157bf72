/* precedence.c - scheduling priority of mqdump */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/precedence.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static const int best = -20;

static bool schedule(int policy, int priority)
{
    const struct sched_param how = { .sched_priority = priority };

    return sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &how) == 0;
}

/* A process with another policy keeps it. */
bool mq_precedence_take(void)
{
    return (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_OTHER
           && schedule(SCHED_RR, 1);
}

void mq_precedence_give_up(bool is_taken)
{
    if (is_taken)
        schedule(SCHED_OTHER, 0);
}

void mq_precedence_prefer(void)
{
    int now;

    errno = 0;
    now = getpriority(PRIO_PROCESS, 0);
    if (errno == 0 && now == 0 && schedule(SCHED_OTHER, 0))
        setpriority(PRIO_PROCESS, 0, best);
}

void mq_precedence_part(void)
{
    FILE *group;

    if (setsid() < 0)
        return;
    group = fopen("/proc/self/autogroup", "w");
    if (group == NULL)
        return;
    fprintf(group, "%d", best);
    fclose(group);
}
