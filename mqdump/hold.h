/* hold.h - many ranks that poll are held back while gdbs start
 *
 * They would leave those that start little of the processors: reading 64 ranks
 * on two of them took twice as long.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HOLD_H
#define MQ_HOLD_H

#include <stddef.h>

#include "target/freeze.h"
#include "target/gdb.h"

/* All zero: nobody is held. */
struct mq_hold {
    struct mq_freeze frozen;
    double begin;
};

/* Holds the processes among the COUNT subjects as target/freeze.h does, if they
 * are many for the processors of this host, for two seconds at most.
 */
void mq_hold_begin(const struct mq_gdb_subject *, size_t count,
                   struct mq_hold *);

/* Lets them go, and tells for how many seconds they stood still at most. */
double mq_hold_end(struct mq_hold *);

#endif
