/* release.h - release of the ranks of a job that starts
 *
 * Each has its words where its own files say (find/debug_flags.h).  They are
 * written while it runs on, so that a thousand ranks take little longer than
 * one, and nobody is left stopped.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RELEASE_H
#define MQ_RELEASE_H

#include "find/acquire.h"
#include "mqdump/sample/mark.h"

/* All zero but for HOW and READING is nobody. */
struct mq_release {
    const struct mq_read_options *how;
    struct mq_reading *reading;
    struct mq_marker marker;
    size_t mark_count, mark_room;
    struct mq_debug_mark *marks;        /* that can be set back */
    struct mq_debug_mark starter;   /* the same, of the starter */
};

/* Marks the job's STARTER, process PIN, which is stopped, as being debugged, so
 * that it reports changes of its job.
 */
enum mq_result mq_release_mark(struct mq_release *, struct mq_target *starter,
                               const struct mq_pin *pin,
                               struct mq_error *);

/* Marks all ranks of JOB on this host that are not in BEFORE as being debugged,
 * releases them, and then releases STARTER, process PIN.  Failures in a rank
 * are logged.
 */
enum mq_result mq_release_job(struct mq_release *,
                              const struct mq_acquired *job,
                              const struct mq_proctable *before,
                              struct mq_target *starter,
                              const struct mq_pin *pin,
                              struct mq_error *);

/* Undoes the marks; gates stay open. */
void mq_release_undo(struct mq_release *);

/* Marks that were not undone stay. */
void mq_release_deinit(struct mq_release *);

#endif
