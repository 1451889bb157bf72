/* scripts.h - Python frames in place of those of the interpreter
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SCRIPTS_H
#define MQ_SCRIPTS_H

#include "symbols/places.h"
#include "symbols/python.h"
#include "symbols/unwind.h"

/* Of one process.  All zero: none was looked for. */
struct mq_scripts {
    struct mq_python *python;   /* or null */
    char refusal[256];          /* why it is not shown, as a sentence; or
                                   empty */
};

/* Whether PLACE, which may be null, is in the interpreter. */
bool mq_scripts_is_at(const struct mq_place *place);

/* Whether it may be, with FRAME, in an interpreter of 3.14 or later, whose
 * functions have no names: one for each instruction, each called at the end of
 * the one before.
 */
bool mq_scripts_may_be_at(const struct mq_place *place,
                          const struct mq_machine_frame *frame);

/* The Python frames of THREAD, by mq_python_frames; FRAME of it is in the
 * interpreter.  mq_absent if that is nothing or not known: the refusal says
 * why.
 */
enum mq_result mq_scripts_read(struct mq_scripts *, const struct mq_unwinder *,
                               const struct mq_machine_frame *frame,
                               int thread, struct mq_frame **frames,
                               size_t *count, size_t *left_out);

/* By mq_python_lock_holder_of; FRAME of the thread may be in any file. */
enum mq_result mq_scripts_lock_holder(struct mq_scripts *,
                                      const struct mq_unwinder *,
                                      const struct mq_machine_frame *frame,
                                      int thread, uint64_t word, int *holder);

/* Whether THREAD of a Python that was found runs a finalizer for the collector
 * of garbage: it RUNS_ONE, or it is the only thread.
 */
bool mq_scripts_collects(struct mq_scripts *, int thread, bool runs_one);

/* Forgets all of it, and the texts of its frames. */
void mq_scripts_forget(struct mq_scripts *);

#endif
