/* format.h - names of the output formats */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_FORMAT_H
#define MQ_FORMAT_H

#include <stdio.h>

#include "report/diff.h"
#include "report/report.h"

/* In the order of the table in format.c. */
enum mq_format {
    mq_format_text,
    mq_format_json,
    mq_format_csv,
    mq_format_svg,
    mq_format_html,
    mq_formats
};

/* The format that is called NAME. */
enum mq_result mq_format_find(const char *name, struct mq_error *,
                              enum mq_format *format);

/* That of a FILE whose name ends with it, such as "hang.html"; else OTHER. */
enum mq_format mq_format_of_file(const char *file, enum mq_format other);

enum mq_result mq_format_analysis(enum mq_format, const struct mq_analysis *,
                                  const struct mq_report_options *, FILE *,
                                  struct mq_error *);

/* mq_failed if there are no comparisons in this format. */
enum mq_result mq_format_diff(enum mq_format, const struct mq_diff *,
                              const struct mq_report_options *, FILE *,
                              struct mq_error *);

#endif
