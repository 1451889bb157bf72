/* thrift.c - sampling budget: how often ranks may be stopped */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/follow/thrift.h"

static const double share = 0.01;   /* of the time */

double mq_thrift_due(double stopped, double cost)
{
    return (stopped + cost) / share;
}

double mq_thrift_pause(double cost)
{
    return cost / (share / 2);
}

double mq_thrift_patience(double cost)
{
    return 4 * cost;
}
