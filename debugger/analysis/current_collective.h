/* current_collective.h - the collective operation that each rank is in
 *
 * Its communicator is known from the argument "comm" of the call, where that is
 * an id, or the handle that a library gives it; from the library's own
 * operations that it lists, which may be on an internal communicator; or
 * because there is only one communicator of more than one rank.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CURRENT_COLLECTIVE_H
#define MQ_CURRENT_COLLECTIVE_H

#include "analysis/match_table.h"

/* In no collective, or the communicator is not known. */
#define MQ_NO_COLLECTIVE UINT32_MAX

/* The index of the communicator (never a twin) of the collective operation that
 * a process is in; MQ_NO_COLLECTIVE: it is in none, or that is not known.
 */
uint32_t mq_current_collective(const struct mq_match_table *, size_t process);

/* The argument of the main thread's call with this name; false if it is not
 * known for sure.
 */
bool mq_call_argument(const struct mq_process *, const char *name,
                      int64_t *value);

/* Whether a collective operation may carry data, by its counts as far as they
 * are known.
 */
bool mq_collective_has_data(const struct mq_process *);

/* Whether a process is in a collective operation that nobody leaves before all
 * members have come, on a communicator that its argument names.
 */
bool mq_collective_needs_all(const struct mq_process *);

/* Whether no queue of the process is known, so that there is only its call. */
bool mq_is_call_alone(const struct mq_process *);

#endif
