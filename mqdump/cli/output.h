/* output.h - writes the reports */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_OUTPUT_H
#define MQ_OUTPUT_H

#include "mqdump/cli/exit_status.h"
#include "mqdump/cli/settings.h"
#include "mqdump/sample/reading.h"

/* Says on stderr why something could not be done. */
enum mq_exit mq_output_fail(const char *sentence);

/* Whether what is written to stdout is coloured. */
bool mq_output_colour(const struct mq_settings *);

/* Writes all of the output, and makes sure that it arrives: STATUS, or else
 * could_not.
 */
enum mq_exit mq_output_finish(enum mq_exit status);

/* Writes a job as the settings say, and logs what could not be read of it.
 */
enum mq_exit mq_output_job(const struct mq_settings *,
                           const struct mq_reading *,
                           struct mq_logger *logger);

/* Writes the report of an analysis to FILE, in the format that its name ends
 * with or else that of the settings, for a width of 80 characters.
 */
enum mq_exit mq_output_report(const char *file, const struct mq_settings *,
                              const struct mq_analysis *);

/* Writes what changed from one recording to the other. */
enum mq_exit mq_output_diff(const struct mq_settings *,
                            const struct mq_reading *before,
                            const struct mq_reading *after);

#endif
