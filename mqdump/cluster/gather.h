/* gather.h - gathers the ranks of many nodes
 *
 * The hosts are divided into parts.  An mqdump is started on the first host of
 * each; it reads the ranks there, asks for the rest of its part in the same
 * way, and answers (answer.h) for all of it.  So no mqdump starts, or hears,
 * more than some others, and the answers come together as in a tree.  Where a
 * host does not answer, its part is asked for without it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_GATHER_H
#define MQ_GATHER_H

#include "mqdump/cluster/hosts.h"
#include "mqdump/cluster/launcher.h"
#include "mqdump/sample/reading.h"

struct mq_gather_plan {
    const struct mq_launcher *launcher;
    const char *job;            /* the launcher's name for it; null: none */
    const char *const *program; /* mqdump and its options there; null after the
                                   last */
    const struct mq_hosts *hosts;
    int fanout;                 /* that many parts, and starts at a time */
    double deadline;            /* as of mq_now: for all of it */
};

struct mq_gathering;

/* Starts what is the first to do, so that it goes on meanwhile; PLAN outlives
 * it.
 */
enum mq_result mq_gather_begin(const struct mq_gather_plan *plan,
                               struct mq_error *,
                               struct mq_gathering **gathering);

/* Waits for all answers, and adds them to the reading; hosts that do not answer
 * by the deadline are named.  WORLD is the name of the job that is looked at;
 * if that is empty, the first one that is heard.
 */
void mq_gather_finish(struct mq_gathering *, const struct mq_read_options *,
                      char world[128], struct mq_reading *);

/* Ends all that still runs. */
void mq_gather_destroy(struct mq_gathering *);

#endif
