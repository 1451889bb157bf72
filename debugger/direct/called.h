/* called.h - target function of a call instruction
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CALLED_H
#define MQ_CALLED_H

#include "symbols/unwind.h"

/* The function whose call returns to FRAME's pc, if it is called in one of the
 * usual ways, or null, and the file that it is in.
 */
const struct mq_symbol *mq_called_by(const struct mq_unwinder *,
                                     const struct mq_machine_frame *frame,
                                     struct mq_object **file);

#endif
