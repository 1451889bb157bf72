/* missing_evidence.h - evidence that a verdict lacks to be certain
 *
 * Of a verdict that is possible or not known, the reasons why atoms of the
 * wait-for graph are unknown that decide it: those at the border of stuck.h
 * within each cause that is not certain.  Were they settled, and each of these
 * atoms false, the verdict would be certain.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MISSING_EVIDENCE_H
#define MQ_MISSING_EVIDENCE_H

#include "analysis/findings.h"

/* Of an analysis whose verdict is there.  The result is to be destroyed. */
enum mq_result mq_missing_evidence_find(const struct mq_analysis *,
                                        struct mq_error *,
                                        struct mq_missing_evidence *missing);
void mq_missing_evidence_destroy(struct mq_missing_evidence *missing);

/* Why a process is not certainly stuck, or not known to go on; none: it is. */
mq_reasons mq_missing_evidence_of(const struct mq_analysis *, size_t process);

#endif
