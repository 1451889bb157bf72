/* gate.h - ranks that wait in MPI_Init for a debugger to let them go on */
#ifndef MQ_GATE_H
#define MQ_GATE_H

#include "mqdump/reading.h"
#include "target/target.h"

/* mq_ok if TARGET, which stands still, waits for no debugger.  Else it has
 * nothing to show: mq_failed with a sentence that says so, and the gate is open
 * for it if the options say --open-gate.
 */
enum mq_result mq_gate_pass(struct mq_target *target,
                            const struct mq_read_options *,
                            struct mq_error *);

#endif
