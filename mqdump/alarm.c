/* The command that a user wants run when a job stands still. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/alarm.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "mqdump/interrupt.h"
#include "report/report.h"

/* In the child: becomes the shell. */
static void become(const char *command, int input)
{
    mq_interrupt_default();
    signal(SIGTSTP, SIG_DFL);
    if (dup2(input, STDIN_FILENO) >= 0)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static enum mq_result run(const char *command, int input,
                          struct mq_error *error)
{
    pid_t child, got;
    int status = 0;

    fflush(NULL);
    child = fork();
    if (child == 0)
        become(command, input);
    if (child < 0)
        return mq_fail(error, "cannot run '%s': %s", command, strerror(errno));
    while ((got = waitpid(child, &status, WNOHANG)) == 0 && !mq_interrupted)
        mq_nap(20);
    if (got != child)
        return mq_fail(error, "interrupted while '%s' ran", command);
    if (WIFSIGNALED(status))
        return mq_fail(error, "'%s' was ended by signal %d", command,
                       WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? mq_ok
           : mq_fail(error, "'%s' ended with exit status %d", command,
                     WEXITSTATUS(status));
}

enum mq_result mq_alarm_raise(const char *command,
                              const struct mq_analysis *analysis,
                              struct mq_error *error)
{
    const struct mq_report_options options = { .width = 80 };
    FILE *report = tmpfile();
    enum mq_result result;

    if (report == NULL)
        return mq_fail(error, "cannot make a temporary file: %s",
                       strerror(errno));
    result = mq_report_text(analysis, &options, report, error);
    if (result == mq_ok && fflush(report) != 0)
        result = mq_fail(error, "cannot write a temporary file: %s",
                         strerror(errno));
    if (result == mq_ok && lseek(fileno(report), 0, SEEK_SET) == 0)
        result = run(command, fileno(report), error);
    fclose(report);
    return result;
}
