/* roll.h - the collective operation that each rank is in
 *
 * What a rank's collective operation is on is told by the argument "comm" of
 * its call, where that is an id, or the handle that a library gives it;
 * by the library's own operations that it lists, which may be on a
 * communicator of its own; or by there being only one communicator of more than
 * one rank.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ROLL_H
#define MQ_ROLL_H

#include "waits/mail.h"

/* In no collective, or not known on what. */
#define MQ_NO_ROLL UINT32_MAX

/* For each process the index of the communicator (never a twin) that the
 * collective operation is on that it is inside; to be freed by the caller.
 */
enum mq_result mq_rolls_find(const struct mq_mail *, struct mq_error *,
                             uint32_t **rolls);

/* The argument of the main thread's call with this name; false if it is not
 * known for sure.
 */
bool mq_call_argument(const struct mq_process *, const char *name,
                      int64_t *value);

/* Whether the counts of a collective operation, as far as they are told, let it
 * carry data.
 */
bool mq_roll_has_data(const struct mq_process *);

/* Whether a process is in a collective operation that nobody leaves before all
 * members have come, on a communicator that its argument names.
 */
bool mq_roll_needs_all(const struct mq_process *);

/* Whether no queue of the process is told, so that all that is known of it is
 * its call.
 */
bool mq_is_call_alone(const struct mq_process *);

/* The name of the collective operation that a process is in, as the MPI
 * standard writes it; null if it is not known.
 */
const char *mq_roll_operation(const struct mq_process *);

#endif
