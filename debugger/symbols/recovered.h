/* recovered.h - arguments of a call without debug information
 *
 * In a library that is known to have the standard's parameters, they are
 * recovered from machine code (machine.h).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RECOVERED_H
#define MQ_RECOVERED_H

#include "symbols/arguments.h"

/* Results about machine code, for a worker. */
struct mq_recovery;

/* mq_absent: this build knows no machine code. */
enum mq_result mq_recovery_create(struct mq_error *, struct mq_recovery **);
void mq_recovery_destroy(struct mq_recovery *);

/* The functions that it knows; null for none. */
struct mq_functions *mq_recovery_functions(struct mq_recovery *);

/* By what machine code is read, "capstone"; null in a build without it. */
const char *mq_recovery_library(void);

/* Adds to STACK those arguments of FUNCTION that are not yet KNOWN;
 * FRAMES[WHICH] is its frame, of FRAME_COUNT from the innermost out.  RECOVERY
 * may be null: nothing then.
 */
enum mq_result mq_recovered_add(struct mq_recovery *,
                                const struct mq_unwinder *,
                                const struct mq_mpi_function *function,
                                const struct mq_machine_frame *frames,
                                size_t frame_count, size_t which,
                                struct mq_known_arguments *known,
                                struct mq_stack *stack, struct mq_error *);

/* The MPI function that is nothing but a jump to the one that FRAME is of, a
 * name of FUNCTIONS; null: none.
 */
const char *mq_recovered_name(struct mq_recovery *,
                              const struct mq_unwinder *,
                              const struct mq_mpi_functions *functions,
                              const struct mq_machine_frame *frame);

#endif
