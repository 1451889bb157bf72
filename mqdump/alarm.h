/* alarm.h - the command that a user wants run when a job stands still */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_ALARM_H
#define MQ_ALARM_H

#include "analysis/analysis.h"

/* Has the shell run COMMAND, with the report as its standard input, and waits
 * for its end; not for ever once the user interrupts.  Nothing of the report is
 * ever a part of the command.  Fails if it cannot be run, or says that it
 * failed.
 */
enum mq_result mq_alarm_raise(const char *command,
                              const struct mq_analysis *, struct mq_error *);

#endif
