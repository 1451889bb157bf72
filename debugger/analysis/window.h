/* window.h - locks and epochs of windows, as their members noted them
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WINDOW_H
#define MQ_WINDOW_H

#include "analysis/graph.h"

/* Whether a need is of a call on a window, and of one PEER alone; *LOCK is the
 * lock of that rank that is in the way, or null.
 */
bool mq_window_need(const struct mq_waits *, const struct mq_need *need,
                    uint32_t *peer, const struct mq_epoch **lock);

#endif
