/* guess.h - peers of a call, from doubtful arguments
 *
 * Nothing certain follows from a guess, but a reader has more of it than of
 * nothing.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_GUESS_H
#define MQ_GUESS_H

#include "model/job.h"

struct mq_guess {
    int peer;                   /* rank in the job */
    bool is_source;             /* else the destination */
    int64_t tag;                /* -1: not known */
};

/* Makes it of the call that the first thread is in; false: there is none. */
bool mq_guess_peer(const struct mq_process *, struct mq_guess *);

/* The listed communicator whose handle is ARGUMENT, or null. */
const struct mq_communicator *
mq_guess_communicator(const struct mq_process *, const struct mq_argument *);

#endif
