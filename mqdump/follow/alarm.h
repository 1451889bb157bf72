/* alarm.h - file and command of the user, for the report when a job hangs
 *
 * A process that does nothing else runs the command.  It begins before anything
 * of a job is read, so that it has root's rights still where these are given up
 * for the user's whose job that is; all that can be asked of it is to run the
 * command.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ALARM_H
#define MQ_ALARM_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "analysis/analysis.h"
#include "mqdump/cli/settings.h"

struct mq_alarm {
    const struct mq_settings *settings;
    FILE *report;               /* what the command gets */
    pid_t runner;
    int link;                   /* to that */
    bool is_busy;
};

/* Of the command and the file that SETTINGS name, or without. */
enum mq_result mq_alarm_begin(const struct mq_settings *settings,
                              struct mq_error *, struct mq_alarm *);
void mq_alarm_end(struct mq_alarm *);

/* Writes the file, has the shell run the command, with the report as its
 * standard input, and waits for its end; not for ever once the user interrupts.
 * Nothing of the report is ever a part of the command.  Fails if it cannot be
 * run, or says that it failed.
 */
enum mq_result mq_alarm_raise(struct mq_alarm *, const struct mq_analysis *,
                              struct mq_error *);

#endif
