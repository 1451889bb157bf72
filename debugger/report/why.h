/* why.h - explanation of the verdict on a rank
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WHY_H
#define MQ_WHY_H

#include "analysis/findings.h"
#include "base/strbuf.h"
#include "report/report.h"

/* The explanation of a process's verdict, without its rank: a heading, then a
 * line for each clause, each ending with '\n'.
 */
void mq_why_words(struct mq_strbuf *, const struct mq_analysis *,
                  size_t process);

/* The verdict, the evidence that it lacks, and the explanations of the ranks
 * that the options choose; ranks with equal ones together.
 */
mq_reporter mq_report_why;

#endif
