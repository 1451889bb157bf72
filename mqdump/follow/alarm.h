/* alarm.h - command of the user, run when a job hangs
 *
 * A process that does nothing else runs it.  It begins before anything of a job
 * is read, so that it has root's rights still where these are given up for the
 * user's whose job that is; all that can be asked of it is to run the command.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ALARM_H
#define MQ_ALARM_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "analysis/analysis.h"
#include "report/format.h"

struct mq_alarm {
    const char *command;        /* null: there is none */
    enum mq_format format;
    FILE *report;               /* what the command gets */
    pid_t runner;
    int link;                   /* to that */
    bool is_busy;
};

/* Of COMMAND, which may be null; nothing is run then.  FORMAT is that of the
 * report.
 */
enum mq_result mq_alarm_begin(const char *command, enum mq_format format,
                              struct mq_error *, struct mq_alarm *);
void mq_alarm_end(struct mq_alarm *);

/* Has the shell run the command, with the report as its standard input, and
 * waits for its end; not for ever once the user interrupts.  Nothing of the
 * report is ever a part of the command.  Fails if it cannot be run, or says
 * that it failed.
 */
enum mq_result mq_alarm_raise(struct mq_alarm *, const struct mq_analysis *,
                              struct mq_error *);

#endif
