/* tail_calls.h - frames that tail calls have removed
 *
 * A compiler makes a jump of a call behind which its function only returns, so
 * that the function has no frame any more.  The function that the caller called
 * is known from its call; how that led to the function that has a frame is
 * known from the debug information of jumps, if there is one way only.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TAIL_CALLS_H
#define MQ_TAIL_CALLS_H

#include "model/stack.h"
#include "symbols/parameters.h"
#include "symbols/places.h"

enum { mq_most_tail_calls = 8 };

/* Gives the places, from the innermost out, of the functions that lead from the
 * one that begins at BEGIN of MODULE to INNER, which may be one of MPI's
 * FUNCTIONS, and how many these are; 0 if that is not known.  For a function
 * without debug information only the name is known.
 */
size_t mq_tail_calls_find(struct mq_places *, struct mq_module *module,
                          uint64_t begin, const char *inner,
                          const struct mq_mpi_functions *functions,
                          const struct mq_place_list *
                              chain[mq_most_tail_calls]);

/* The same from the function that is called where it returns to BEHIND in
 * MODULE, as debug information has that call, to any of MPI's FUNCTIONS; 0,
 * too, if it is one of them.
 */
size_t mq_tail_calls_from(struct mq_places *, struct mq_module *module,
                          uint64_t behind,
                          const struct mq_mpi_functions *functions,
                          const struct mq_place_list *
                              chain[mq_most_tail_calls]);

/* The function of MODULE, the program's or a library, that has called MPI where
 * it returns to BEHIND, be it by a jump of the one that was called there.
 * mq_absent if nothing is known of it; the texts live as long as both.
 */
enum mq_result mq_call_site_find(struct mq_places *, struct mq_module *module,
                                 const struct mq_mpi_functions *,
                                 uint64_t behind, bool is_program,
                                 struct mq_error *, struct mq_frame *site);

#endif
