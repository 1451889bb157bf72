/* no_progress.h - time limit for a watched job without progress
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_NO_PROGRESS_H
#define MQ_NO_PROGRESS_H

#include "base/strbuf.h"
#include "mqdump/cli/settings.h"

enum { mq_usual_blocked = 60 }; /* seconds, if the user gave no limit */

/* For how many seconds no rank may leave or enter an MPI call, whatever those
 * outside MPI do, or 0: then only ranks that sleep in a system call that the
 * clock does not end hold a job up, and those that compute are right to do so.
 */
double mq_no_progress_limit(const struct mq_settings *);

/* Says which option is for programs that compute for longer. */
void mq_no_progress_advice(const struct mq_settings *, struct mq_strbuf *);

#endif
