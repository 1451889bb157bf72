/* call_site.h - source location of a call, from its return address
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CALL_SITE_H
#define MQ_CALL_SITE_H

#include "model/stack.h"
#include "symbols/parameters.h"
#include "symbols/places.h"

/* The function of MODULE, the program's or a library, that has called MPI where
 * it returns to BEHIND, be it by a jump of the one that was called there.
 * mq_absent if nothing is known of it; the texts live as long as both.
 */
enum mq_result mq_call_site_find(struct mq_places *, struct mq_module *module,
                                 const struct mq_mpi_functions *,
                                 uint64_t behind, bool is_program,
                                 struct mq_error *, struct mq_frame *site);

#endif
