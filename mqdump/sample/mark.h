/* mark.h - marks that announce a debugger to a process
 *
 * All that mqdump writes to processes of this host is written here: the words
 * of find/debug_flags.h, where a process's own files say that they are, to a
 * process that is still the user's that it was.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MARK_H
#define MQ_MARK_H

#include "mqdump/sample/reading.h"
#include "mqdump/system/undo_process.h"
#include "process/pin.h"

/* The process that marks: one in each process of mqdump.  All zero: none yet.
 */
struct mq_marker {
    struct mq_undo_process undo;
    struct mq_loaded files;
};

/* When all marks have been ended or forgotten. */
void mq_marker_deinit(struct mq_marker *);

/* The change to be written, and its process. */
struct mq_mark_wish {
    struct mq_pin pin;          /* the process as it was named */
    struct mq_target *held;     /* the same, where it is stopped and read by a
                                   back end that caches; or null */
    uint32_t flags;             /* MPI2DD_FLAG_... */
    struct mq_flags_change inherited;   /* to be reset, too: it was set in the
                                           process's parent */
};

/* Writes it, and gives in MARK what mq_mark_end has to set back, for which
 * gates do not count, and in WRITTEN what was not set before.  mq_absent if the
 * process has no words for it.
 */
enum mq_result mq_mark_set(struct mq_marker *, const struct mq_mark_wish *,
                           struct mq_error *, struct mq_debug_mark *mark,
                           struct mq_flags_change *written);

/* Marks TARGET, process PIN of this host, as being debugged, and opens its
 * gate; whether there is something to be set back.
 */
bool mq_mark_temporarily(struct mq_marker *, struct mq_target *target,
                         const struct mq_pin *pin, struct mq_logger *,
                         struct mq_debug_mark *mark);

/* Does so if TARGET, the source of PROCESS, does not remember its sends and the
 * options want that: from then on it does, and is to be read again.  Only after
 * MPI_Init, as its communicators show: a library might wait there for the
 * debugger for ever.
 */
bool mq_mark_begin(struct mq_marker *, struct mq_target *target,
                   const struct mq_pin *pin,
                   const struct mq_process *process,
                   const struct mq_read_options *, struct mq_debug_mark *mark);

/* Sets back what was written, be the process stopped or not.  LOGGER, which may
 * be null, hears if that fails.
 */
void mq_mark_end(struct mq_debug_mark *mark, struct mq_logger *logger);

/* Leaves it as it is. */
void mq_mark_forget(struct mq_debug_mark *mark);

/* ---- Ranks that wait in MPI_Init for a debugger -------------------------- */

/* mq_ok if TARGET, process PIN of this host or none, which is stopped, waits
 * for no debugger.  Else a sentence that says so: with mq_absent, since its
 * call is all that there is to show, or with mq_failed, since it goes on: it is
 * a whole job that is looked at, or the options say --open-gate.
 */
enum mq_result mq_gate_pass(struct mq_marker *, struct mq_target *target,
                            const struct mq_pin *pin,
                            const struct mq_read_options *,
                            struct mq_error *);

#endif
