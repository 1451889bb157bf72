/* frame_data.h - local data of a thread's functions, for comparison
 *
 * What is compared to learn whether a thread that calls no function of MPI's
 * computes: a loop that waits for another thread to write a word has the same
 * data all the time.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FRAME_DATA_H
#define MQ_FRAME_DATA_H

#include "direct/call_stack.h"
#include "target/target.h"

/* Fills DATA, an array of ROOM entries, from the innermost function of the
 * program outwards, as far as the stack was copied, and returns the number of
 * entries: 0 for a thread inside MPI, and for one in an interpreter, whose own
 * data changes whatever the script does.
 */
size_t mq_frame_data_find(struct mq_target *memory,
                          const struct mq_call_stack *,
                          struct mq_frame_data *data, size_t room);

#endif
