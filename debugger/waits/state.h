/* state.h - execution state of a rank
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STATE_H
#define MQ_STATE_H

#include "waits/atoms.h"

/* The state of the process whose needs have been added. */
enum mq_rank_state mq_state_find(const struct mq_builder *);

/* Whether the text that names the call of a process says that it is in none. */
bool mq_is_no_call(const char *call);

/* Whether a process does nothing but poll. */
bool mq_only_polls(const struct mq_process *);

/* Whether it is not known that a process goes on that is in none of MPI's calls
 * that block.
 */
bool mq_may_get_nowhere(const struct mq_process *);

#endif
