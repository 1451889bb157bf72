/* release.h - the ranks of a job that starts are told of the debugger, let go
 *
 * One process of each program is enough to find the words that are to be
 * written (acquire/words.h).  In all others they are written while these run
 * on, so that a thousand ranks take no longer than one, and nobody is left
 * stopped.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RELEASE_H
#define MQ_RELEASE_H

#include "acquire/acquire.h"
#include "mqdump/mark.h"

/* All zero but for HOW and READING is nobody. */
struct mq_release {
    const struct mq_read_options *how;
    struct mq_reading *reading;
    size_t known_count, known_room;
    struct mq_known_program {   /* whose words were found */
        int pid;                /* of a process that runs it */
        struct mq_words words;
    } *known;
    size_t mark_count, mark_room;
    struct mq_debug_mark *marks;      /* that can be set back */
    struct mq_debug_mark starter;   /* the same, of the starter */
};

/* Tells the job's STARTER, process PID, which stands still, that it is being
 * debugged and shall say when its job changes.
 */
enum mq_result mq_release_mark(struct mq_release *, struct mq_target *starter,
                               int pid, struct mq_error *);

/* Tells all ranks of JOB on this host that are not in BEFORE that they are
 * being debugged, lets them go unless that is the starter's part, and then lets
 * STARTER go, process PID.  What cannot be done in a rank is told.
 */
enum mq_result mq_release_job(struct mq_release *,
                              const struct mq_acquired *job,
                              const struct mq_proctable *before,
                              struct mq_target *starter, int pid,
                              struct mq_error *);

/* Sets back what was told of the debugger; gates stay open. */
void mq_release_undo(struct mq_release *);

void mq_release_deinit(struct mq_release *);

#endif
