/* alarm.c - file and command of the user, for the report when a job hangs */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/follow/alarm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mqdump/cli/output.h"
#include "mqdump/system/interrupt.h"
#include "process/standard.h"

/* ---- The process that runs it -------------------------------------------- */

/* In the child: becomes the shell. */
static void become(const char *command, int input)
{
    mq_interrupt_default();
    signal(SIGTSTP, SIG_DFL);
    mq_standard_restore();
    if (dup2(input, STDIN_FILENO) >= 0 && lseek(input, 0, SEEK_SET) == 0)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Runs the command whenever a byte comes, and answers how it ended; until no
 * process is left that could ask.
 */
static void be_runner(const char *command, int input, int link)
{
    char word;

    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTSTP, SIG_IGN);
    while (read(link, &word, 1) == 1) {
        pid_t child = fork();
        int status = -1;

        if (child == 0)
            become(command, input);
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        if (write(link, &status, sizeof status) != sizeof status)
            break;
    }
    _exit(0);
}

enum mq_result mq_alarm_begin(const struct mq_settings *settings,
                              struct mq_error *error, struct mq_alarm *alarm)
{
    const char *command = settings->watch.command;
    struct mq_alarm made = { .settings = settings, .link = -1 };
    int ends[2];

    *alarm = made;
    if (command == NULL)
        return mq_ok;
    made.report = tmpfile();
    if (made.report == NULL)
        return mq_fail(error, "cannot make a temporary file: %s",
                       strerror(errno));
    fcntl(fileno(made.report), F_SETFD, FD_CLOEXEC);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
        fflush(NULL);
        made.runner = fork();
        if (made.runner == 0) {
            close(ends[0]);
            be_runner(command, fileno(made.report), ends[1]);
        }
        close(ends[1]);
        made.link = ends[0];
    }
    *alarm = made;
    if (made.runner > 0)
        return mq_ok;
    mq_fail(error, "cannot run '%s': %s", command, strerror(errno));
    mq_alarm_end(alarm);
    return mq_failed;
}

/* A command that runs still is not waited for. */
void mq_alarm_end(struct mq_alarm *alarm)
{
    if (alarm->link >= 0)
        close(alarm->link);
    if (alarm->report != NULL)
        fclose(alarm->report);
    if (alarm->runner > 0 && !alarm->is_busy)
        while (waitpid(alarm->runner, NULL, 0) < 0 && errno == EINTR)
            continue;
    *alarm = (struct mq_alarm){ .link = -1 };
}

/* ---- Having it run ------------------------------------------------------- */

/* Whether the command has ended, or the user wants no more. */
static bool wait_for_answer(const struct mq_alarm *alarm)
{
    struct pollfd answer = { alarm->link, POLLIN, 0 };
    int got;

    do {
        got = poll(&answer, 1, 20);
    } while (!mq_interrupted && (got == 0 || (got < 0 && errno == EINTR)));
    return got > 0;
}

static enum mq_result run(struct mq_alarm *alarm, struct mq_error *error)
{
    const char *command = alarm->settings->watch.command;
    int status;

    alarm->is_busy = true;
    if (write(alarm->link, "", 1) != 1)
        return mq_fail(error, "cannot run '%s': %s", command, strerror(errno));
    if (!wait_for_answer(alarm))
        return mq_fail(error, "interrupted while '%s' ran", command);
    if (read(alarm->link, &status, sizeof status) != sizeof status
        || status == -1)
        return mq_fail(error, "cannot run '%s'", command);
    alarm->is_busy = false;
    if (WIFSIGNALED(status))
        return mq_fail(error, "'%s' was ended by signal %d", command,
                       WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? mq_ok
           : mq_fail(error, "'%s' ended with exit status %d", command,
                     WEXITSTATUS(status));
}

enum mq_result mq_alarm_raise(struct mq_alarm *alarm,
                              const struct mq_analysis *analysis,
                              struct mq_error *error)
{
    const struct mq_report_options options = { .width = 80 };
    const struct mq_settings *settings = alarm->settings;
    enum mq_result result;

    if (settings->watch.report != NULL)
        mq_output_report(settings->watch.report, settings, analysis);
    if (settings->watch.command == NULL)
        return mq_ok;
    rewind(alarm->report);
    result = ftruncate(fileno(alarm->report), 0) == 0
             ? mq_format_analysis(settings->format, analysis, &options,
                                  alarm->report, error)
             : mq_fail(error, "cannot write a temporary file: %s",
                       strerror(errno));
    if (result == mq_ok && fflush(alarm->report) != 0)
        result = mq_fail(error, "cannot write a temporary file: %s",
                         strerror(errno));
    return result == mq_ok ? run(alarm, error) : result;
}
