/* gate.h - ranks that wait in MPI_Init for a debugger */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_GATE_H
#define MQ_GATE_H

#include "mqdump/sample/mark.h"

/* mq_ok if TARGET, process PIN of this host or none, which is stopped, waits
 * for no debugger.  Else a sentence that says so: with mq_absent, since its
 * call is all that there is to show, or with mq_failed, since it goes on: it is
 * a whole job that is looked at, or the options say --open-gate.
 */
enum mq_result mq_gate_pass(struct mq_marker *, struct mq_target *target,
                            const struct mq_pin *pin,
                            const struct mq_read_options *,
                            struct mq_error *);

#endif
