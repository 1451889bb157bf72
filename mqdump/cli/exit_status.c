/* exit_status.c - conditions that decide mqdump's exit status */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/cli/exit_status.h"

int mq_exit_status(enum mq_exit how)
{
    static const int statuses[mq_exits] = {
#define STATUS(name, status, what) [mq_exit_##name] = (status),
        MQ_EXITS(STATUS)
#undef STATUS
    };

    return statuses[how];
}

enum mq_exit mq_exit_of(const struct mq_analysis *analysis)
{
    static const enum mq_exit statuses[mq_verdicts] = {
        [mq_verdict_none] = mq_exit_shown,
        [mq_verdict_held_up] = mq_exit_shown,
        [mq_verdict_unknown] = mq_exit_unknown,
        [mq_verdict_possible] = mq_exit_stuck,
        [mq_verdict_stuck] = mq_exit_stuck,
        [mq_verdict_deadlock] = mq_exit_stuck
    };

    return statuses[analysis->verdict];
}

enum mq_exit mq_exit_both(enum mq_exit x, enum mq_exit y)
{
    return x < y ? x : y;
}
