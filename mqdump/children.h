/* children.h - processes are recorded side by side
 *
 * Each by a child of mqdump with a gdb of its own.  They take each step of a
 * look together (recorder.h): all processes are stopped before the first is
 * read.  An interruption ends them in order.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CHILDREN_H
#define MQ_CHILDREN_H

#include <sys/types.h>

#include "mqdump/recorder.h"
#include "mqdump/transcript.h"

struct mq_child {
    struct mq_recording recording;  /* its outcome is in shared memory */
    struct mq_transcript told;  /* on its way */
    pid_t pid;                  /* 0: it does not run */
    bool is_of_host;            /* the subject is a process of this host, and
                                   the recording's number its id */
    int link;                   /* takes steps, and answers that they are done */
    bool is_busy;               /* with a step */
};

/* Makes a child for each of COUNT subjects, and waits until all have ended.
 * Beforehand CHILDREN are zero but for the names and numbers of their
 * recordings; after mq_ok all have an outcome.  In any case all need
 * mq_child_deinit.
 */
enum mq_result mq_children_record(struct mq_child *children,
                                  const struct mq_gdb_subject *subjects,
                                  size_t count, const struct mq_read_options *,
                                  struct mq_error *);
void mq_child_deinit(struct mq_child *);

#endif
