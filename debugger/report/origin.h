/* origin.h - the job that a report is of
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ORIGIN_H
#define MQ_ORIGIN_H

#include "base/json.h"
#include "base/strbuf.h"
#include "report/report.h"

/* "heat, 4 ranks of Open MPI on node12, read at 2026-11-21 17:05:03 by mqdump
 * 1.0", or "heat, 4 ranks of Open MPI, which made no call after ..."; false,
 * and nothing, where the options have neither time.
 */
bool mq_origin_words(struct mq_strbuf *, const struct mq_job *,
                     const struct mq_report_options *);

/* The same as an object, with null for what is not known. */
void mq_origin_write(struct mq_json *, const struct mq_job *,
                     const struct mq_report_options *);

#endif
