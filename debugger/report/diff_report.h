/* diff_report.h - report of a comparison, as text and JSON */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_DIFF_REPORT_H
#define MQ_DIFF_REPORT_H

#include "report/diff.h"
#include "report/report.h"

typedef enum mq_result mq_diff_reporter(const struct mq_diff *,
                                        const struct mq_report_options *,
                                        FILE *, struct mq_error *);
mq_diff_reporter mq_report_diff_text, mq_report_diff_json;

#endif
