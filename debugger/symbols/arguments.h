/* arguments.h - arguments of a call, from DWARF
 *
 * Method: DWARF says of each parameter, at each instruction, in which register
 * or where in memory it is, if it is still somewhere.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ARGUMENTS_H
#define MQ_ARGUMENTS_H

#include "model/stack.h"
#include "symbols/parameters.h"
#include "symbols/places.h"
#include "symbols/unwind.h"

/* Which arguments of a function are known already, by the place of the
 * parameter.
 */
struct mq_known_arguments {
    bool is_known[mq_most_parameters];
};

/* Adds to STACK the arguments of FUNCTION at PLACE, which is in FRAME, that are
 * not yet KNOWN; *IS_LESS if debug information says more than could be
 * understood.
 */
enum mq_result mq_arguments_add(const struct mq_mpi_function *function,
                                const struct mq_place *place,
                                const struct mq_machine_frame *frame,
                                struct mq_known_arguments *known,
                                struct mq_stack *stack, struct mq_error *,
                                bool *is_less);

/* Whether all arguments of FUNCTION that are asked for are KNOWN. */
bool mq_arguments_are_known(const struct mq_mpi_function *function,
                            const struct mq_known_arguments *known);

#endif
