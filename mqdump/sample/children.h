/* children.h - worker processes that record many processes
 *
 * By children of mqdump, each with several: to read a program's symbols takes
 * far longer than to look at one more process of that program.  They take each
 * step of a look together (recorder.h): all processes are stopped before the
 * first is resumed.  Should a child not live to the end, those that it had are
 * recorded one by one, so that only what one of them does wrong is lost.  An
 * interruption ends all in order.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CHILDREN_H
#define MQ_CHILDREN_H

#include "mqdump/sample/common_moment.h"
#include "mqdump/sample/recorder.h"
#include "mqdump/sample/transcript.h"

/* The result of a child for a subject. */
struct mq_recorded {
    struct mq_recording recording;  /* its outcome is in shared memory */
    struct mq_transcript log;   /* on its way */
    bool is_of_host;            /* the subject is a process of this host, and
                                   the recording's number its id */
    bool is_shared;             /* its child has others, too */
    struct mq_sample_times times;       /* of the looks at its group */
};

/* Records COUNT subjects.  Beforehand RECORDED are zero but for the names and
 * numbers of their recordings; after mq_ok all have an outcome.  In any case
 * all need mq_recorded_deinit.
 */
enum mq_result mq_children_record(struct mq_recorded *recorded,
                                  const struct mq_subject *subjects,
                                  size_t count, const struct mq_read_options *,
                                  struct mq_error *);
void mq_recorded_deinit(struct mq_recorded *);

#endif
