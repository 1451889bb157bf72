/* report.h - what was found, written down
 *
 * Write errors are left to the stream, where ferror finds them.
 */
#ifndef MQ_REPORT_H
#define MQ_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "job.h"

/* The order in which reports show a communicator's queues, and their names. */
extern const enum mq_queue_class mq_report_order[mq_queue_classes];
extern const char *const mq_queue_names[mq_queue_classes];
extern const char *const mq_status_names[3];

/* Lines for programs: for each communicator `comm`, `group`, and a line for
 * each operation, or `none QUEUE` where the DLL has no information.  Remarks
 * are left out.
 */
void mq_report_raw(const struct mq_job *, FILE *);

/* A block for each process and a line for each operation, WIDTH columns wide
 * where names allow.
 */
void mq_report_table(const struct mq_job *, size_t width, FILE *);

/* A sentence for each remark, or only for those that are errors, with COMMAND
 * in front.  Gives whether there was an error.
 */
bool mq_report_remarks(const struct mq_job *, bool only_errors,
                       const char *command, FILE *);

#endif
