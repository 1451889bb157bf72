/* spot.h - whether a thread is still in a call, by its stack alone */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SPOT_H
#define MQ_SPOT_H

#include "base/error.h"
#include "mqdump/read/looks.h"

/* mq_ok if the thread of SPOT is in a call that returns there: it stands still
 * for the microseconds that takes.  mq_absent if it is elsewhere, and
 * mq_failed if that cannot be told: on other machines than x86, or if another
 * debugger holds it.  Whoever left the call and is back looks the same.
 */
enum mq_result mq_spot_holds(const struct mq_spot *spot);

#endif
