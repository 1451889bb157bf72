/* gather.h - gathers the ranks of many nodes
 *
 * One command of an engine (engine.h) starts an agent on each node.  Agents
 * sample their ranks in rounds, again and again, and write a message after each
 * (answer.h), so that nothing is ever sent to them.  A round is over when each
 * node that answers has written its reading.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_GATHER_H
#define MQ_GATHER_H

#include "mqdump/cluster/engine.h"
#include "mqdump/sample/reading.h"

enum { mq_gather_rounds = 5 };  /* until looks of all hosts have a moment in
                                   common, or are taken without one */

struct mq_gather_plan {
    const struct mq_engine *engine;
    const char *job;            /* the engine's name for it; null: none */
    const char *const *program; /* mqdump and its options there; null after the
                                   last */
    const struct mq_hosts *hosts;
    double seconds;             /* that a round may take */
};

struct mq_gathering;

/* Starts the agents.  The parts of PLAN are copied. */
enum mq_result mq_gather_begin(const struct mq_gather_plan *plan,
                               struct mq_error *,
                               struct mq_gathering **gathering);

/* Waits for the next round, and adds its ranks to the reading; hosts that do
 * not answer are named, each once, and so are several jobs, whose ranks are not
 * added.
 */
void mq_gather_round(struct mq_gathering *, const struct mq_read_options *,
                     struct mq_reading *);

/* Whether any agent still runs. */
bool mq_gather_goes_on(const struct mq_gathering *);

/* Ends all that still runs. */
void mq_gather_destroy(struct mq_gathering *);

#endif
