/* diff_report.h - what changed between two recordings, written down */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_DIFF_REPORT_H
#define MQ_DIFF_REPORT_H

#include "analysis/diff.h"
#include "report/report.h"

enum mq_result mq_report_diff_text(const struct mq_diff *,
                                   const struct mq_report_options *, FILE *,
                                   struct mq_error *);
enum mq_result mq_report_diff_json(const struct mq_diff *, FILE *,
                                   struct mq_error *);

#endif
