/* clock.h - monotonic clock */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_CLOCK_H
#define MQ_CLOCK_H

/* Seconds since some moment in the past. */
double mq_now(void);

/* Rests for some milliseconds, or until a signal comes. */
void mq_nap(int milliseconds);

#endif
