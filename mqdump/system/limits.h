/* limits.h - resource limits for the parsing of untrusted input */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_LIMITS_H
#define MQ_LIMITS_H

/* From here on 4 GiB of memory more than now, and some minutes of a processor,
 * SECONDS of them beyond the usual number.  Children inherit it.
 */
void mq_limits_set(unsigned seconds);

void mq_limits_lift(void);

#endif
