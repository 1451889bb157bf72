/* report.h - reports, and parts that they share
 *
 * Write errors are left to the stream, where ferror finds them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_REPORT_H
#define MQ_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "analysis/analysis.h"
#include "base/log.h"
#include "report/filter.h"

/* The order in which reports show a communicator's queues. */
extern const enum mq_queue_class mq_report_order[mq_queue_classes];

/* Lines for programs: for each communicator `comm`, `group`, and a line for
 * each operation, or `none QUEUE` where the DLL has no information.  Remarks
 * are left out.
 */
void mq_report_raw(const struct mq_job *, FILE *);

/* How a report shall look. */
struct mq_report_options {
    struct mq_filter filter;
    bool all;                   /* nothing is cut */
    bool queues;                /* of all ranks, not only of those in a
                                   finding */
    bool why;                   /* the verdict's proof instead of what else
                                   text shows */
    bool colour;                /* for a terminal */
    size_t width;               /* columns, where names allow */
    time_t time;                /* when the job was read; 0: not known */
    time_t last_call;           /* when the latest call of ranks that have ended
                                   began; 0: not known */
    const char *host;           /* where; null: on several, or not known */
};

/* Writer of an analysis, by options. */
typedef enum mq_result mq_reporter(const struct mq_analysis *,
                                   const struct mq_report_options *, FILE *,
                                   struct mq_error *);

/* A block for each process, or for all that are alike, and a line for each
 * operation, each block after an empty line: of the ranks that take part in a
 * finding, or of all if the options ask for any queue.
 */
mq_reporter mq_report_queues;

/* The verdict and its causes, the other findings, the wait-for graph, the
 * stacks, and the queues of those in findings.
 */
mq_reporter mq_report_text;

/* Only the verdict, and its proof or the evidence that it lacks. */
void mq_report_verdict(const struct mq_analysis *,
                       const struct mq_report_options *, FILE *);

/* Everything, for programs; the names are documented in the manual. */
mq_reporter mq_report_json;

/* A line for each operation, after one with the names of the columns. */
mq_reporter mq_report_csv;

/* A picture of the wait-for graph, for a browser. */
mq_reporter mq_report_svg;

/* All of that in one page for browsers, with all that it needs. */
mq_reporter mq_report_html;

/* Logs each remark, those that are errors as warnings and, unless ONLY_ERRORS,
 * the others as verbose messages.  Gives whether there was an error.
 */
bool mq_report_remarks(const struct mq_job *, bool only_errors,
                       struct mq_logger *logger);

#endif
