/* source_live.h - sources: running processes and core files
 *
 * They are recorded (recorder.h), those of this host side by side, and then
 * shown from the recordings.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SOURCE_LIVE_H
#define MQ_SOURCE_LIVE_H

#include "mqdump/sample/reading.h"

/* The sources: EXE and CORE, and what a user's gdb has of a process
 * (mqdump/mqdump.py): the numbers of two descriptors, of its memory and of
 * a text, its number and then for each thread a line with its number and its
 * registers.
 */
mq_source_reader mq_read_core, mq_read_held;

/* Shows SUBJECTS, COUNT of them, by rank; failures are logged. */
enum mq_result mq_live_read(const struct mq_subject *subjects,
                            size_t count, const struct mq_read_options *,
                            struct mq_reading *, struct mq_error *);

/* Adds RANK, with nothing but its name, rank, world and presence, with a remark
 * that says WHY unless that is null.
 */
enum mq_result mq_live_add_unread(struct mq_reading *,
                                  const struct mq_process *rank,
                                  const char *why, struct mq_error *);

/* Records and shows a target that is open, and stays so.  NUMBER is in the name
 * of a recording that is kept if the rank is not known.
 */
enum mq_result mq_live_show(struct mq_target *, int number,
                            const struct mq_read_options *,
                            struct mq_reading *, struct mq_error *);

#endif
