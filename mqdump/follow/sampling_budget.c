/* sampling_budget.c - sampling budget: how often ranks may be stopped */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/follow/sampling_budget.h"

static const double share = 0.01;   /* of the time */

double mq_sampling_due(double stopped, double cost)
{
    return (stopped + cost) / share;
}

double mq_sampling_pause(double cost)
{
    return cost / (share / 2);
}

double mq_sampling_patience(double cost)
{
    return 4 * cost;
}
