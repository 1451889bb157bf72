/* exit_status.h - conditions that decide mqdump's exit status
 *
 * The only place that decides it: everything else says what is so.  The manual
 * has the same sentences (tests/mqdump/test_manual.sh).
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_EXIT_STATUS_H
#define MQ_EXIT_STATUS_H

#include "analysis/findings.h"

/* X(name, exit status, what is so).  Of several that are so, the first counts:
 * a hang that was found is worth more than what else could not be read.
 */
#define MQ_EXITS(X)                                                         \
    X(could_not, 2, "the request could not be carried out, or its output "  \
      "not written")                                                        \
    X(stuck, 1, "a deadlock, a possible one, or ranks that never go on")    \
    X(unknown, 2, "something needed could not be read or is not known, or " \
      "doctor found a broken link")                                         \
    X(shown, 0, "no rank is stuck, or no verdict was requested")

enum mq_exit {
#define MQ_EXIT(name, status, what) mq_exit_##name,
    MQ_EXITS(MQ_EXIT)
#undef MQ_EXIT
    mq_exits
};

/* The exit status for it. */
int mq_exit_status(enum mq_exit);

/* Results that a report of the analysis shows. */
enum mq_exit mq_exit_of(const struct mq_analysis *);

/* The more important of two. */
enum mq_exit mq_exit_both(enum mq_exit, enum mq_exit);

#endif
