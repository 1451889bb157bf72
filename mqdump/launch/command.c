/* command.c - start, hold, release and end of a command */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/launch/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"
#include "mqdump/system/interrupt.h"
#include "process/pin.h"
#include "process/proc_stat.h"
#include "process/standard.h"
#include "target/rank_process.h"

/* ---- All descendants of a command --------------------------------------- */

static const char token[] = "MQDUMP_COMMAND";

/* A token that is unique on this host. */
static struct mq_descendants_token make_token(void)
{
    struct mq_descendants_token mark;
    struct mq_pin own = { .start = 0 };

    mq_pin_process((int)getpid(), NULL, &own);
    snprintf(mark.entry, sizeof mark.entry, "%s=%d.%" PRIu64, token,
             (int)getpid(), own.start);
    return mark;
}

static bool signal_one(int pid, const struct mq_descendants_token *mark,
                       int number)
{
    struct mq_pin pin;

    if (pid == (int)getpid() || mq_pin_process(pid, NULL, &pin) != mq_ok
        || !mq_process_has_entry("/proc", pid, mark->entry)
        || mq_proc_state(pid) == 'Z')
        return false;
    if (number != 0)
        mq_pin_signal(&pin, number, NULL);
    return true;
}

size_t mq_descendants_signal(const struct mq_descendants_token *mark,
                             int number)
{
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    size_t count = 0;
    int pid;

    if (folder == NULL)
        return 0;
    while ((entry = readdir(folder)) != NULL)
        if (mq_number_is(entry->d_name, 1, INT_MAX, &pid))
            count += signal_one(pid, mark, number);
    closedir(folder);
    return count;
}

enum {
    polite_naps = 300,          /* of ten milliseconds, before it is killed */
    final_naps = 200            /* and after */
};

/* In the child: the library comes before what the user preloads. */
static void put_preload(const struct mq_preload *preload)
{
    const char *others = getenv("LD_PRELOAD");
    char *all;

    if (preload->record != NULL)
        setenv("MQWATCH_RECORD", preload->record, 1);
    if (preload->library != NULL
        && asprintf(&all, "%s%s%s", preload->library,
                    others != NULL ? ":" : "", others != NULL ? others : "")
           >= 0)
        setenv("LD_PRELOAD", all, 1);
}

/* The program of a child. */
struct start {
    char *const *words;
    const struct mq_preload *preload;
    int output;
    pid_t parent;               /* that makes it, and */
    pid_t group;                /* it joins; 0: it has its own */
    const struct mq_descendants_token *mark;
};

/* In the child: a group and an input of its own. */
static void leave_terminal(pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    if (isatty(STDIN_FILENO))
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
}

/* In the child: waits at the gate and executes the program. */
static void become(const struct start *start, int gate, int report)
{
    char go;

    if (start->group == 0)
        leave_terminal(start->parent);
    else
        setpgid(0, start->group);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    dup2(start->output, STDOUT_FILENO);
    if (start->group == 0)
        mq_interrupt_default();
    else
        mq_interrupt_inherit();
    while (read(gate, &go, 1) < 0 && errno == EINTR)
        continue;
    put_preload(start->preload);
    setenv(token, start->mark->entry + sizeof token, 1);
    /* Open MPI would explain to the user that there is a newer interface. */
    setenv("OMPI_MPIR_DO_NOT_WARN", "1", 0);
    mq_standard_restore();
    execvp(start->words[0], start->words);
    if (write(report, &errno, sizeof errno) < 0)
        _exit(126);
    _exit(errno == ENOENT ? 127 : 126);
}

/* Pipes to a child, and from it. */
struct ends {
    int gate[2], report[2];
};

static enum mq_result open_ends(const char *name, struct mq_error *error,
                                struct ends *ends)
{
    if (pipe2(ends->gate, O_CLOEXEC) != 0)
        return mq_fail(error, "cannot start '%s': %s", name, strerror(errno));
    if (pipe2(ends->report, O_CLOEXEC) == 0)
        return mq_ok;
    close(ends->gate[0]);
    close(ends->gate[1]);
    return mq_fail(error, "cannot start '%s': %s", name, strerror(errno));
}

/* Keeps one end of each for COMMAND, if it has been made. */
static enum mq_result take_ends(const struct ends *ends, const char *name,
                                struct mq_error *error,
                                struct mq_command *command)
{
    int number = errno;

    command->gate = ends->gate[1];
    command->report = ends->report[0];
    close(ends->gate[0]);
    close(ends->report[1]);
    if (command->pid > 0)
        return mq_ok;
    close(ends->gate[1]);
    close(ends->report[0]);
    return mq_fail(error, "cannot start '%s': %s", name, strerror(number));
}

enum mq_result mq_command_start(char *const *words,
                                const struct mq_preload *preload, int output,
                                struct mq_error *error,
                                struct mq_command *command)
{
    const struct mq_descendants_token mark = make_token();
    const struct start start = {
        words, preload, output, getpid(), 0, &mark
    };
    struct ends ends;

    if (open_ends(words[0], error, &ends) != mq_ok)
        return mq_failed;
    command->waiter = 0;
    command->mark = mark;
    command->pid = fork();
    if (command->pid == 0)
        become(&start, ends.gate[0], ends.report[1]);
    return take_ends(&ends, words[0], error, command);
}

/* In a child: makes the command, reports it to LINK, and ends with it. */
static void wait_for_it(const struct start *start, const struct ends *ends,
                        int link)
{
    siginfo_t end;
    pid_t pid = fork();

    if (pid == 0)
        become(start, ends->gate[0], ends->report[1]);
    if (write(link, &pid, sizeof pid) != sizeof pid || pid < 0)
        _exit(1);
    mq_standard_leave();
    close(link);
    close(ends->gate[0]);
    close(ends->gate[1]);
    close(ends->report[0]);
    close(ends->report[1]);
    while (waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT) != 0
           && errno == EINTR)
        continue;
    _exit(0);
}

/* Makes that child, which no signal reaches, and hears of the command. */
static pid_t make_waiter(const struct start *start, const struct ends *ends,
                         struct mq_command *command)
{
    sigset_t all, before;
    pid_t pid = -1;
    int link[2];

    if (pipe2(link, O_CLOEXEC) != 0)
        return -1;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    command->waiter = fork();
    if (command->waiter == 0)
        wait_for_it(start, ends, link[1]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(link[1]);
    if (read(link[0], &pid, sizeof pid) != sizeof pid)
        pid = -1;
    close(link[0]);
    return pid;
}

enum mq_result mq_command_start_for_parent(char *const *words,
                                           const struct mq_preload *preload,
                                           struct mq_error *error,
                                           struct mq_command *command)
{
    const struct mq_descendants_token mark = make_token();
    const struct start start = {
        words, preload, STDOUT_FILENO, getpid(), getpgid(getppid()), &mark
    };
    struct ends ends;

    if (open_ends(words[0], error, &ends) != mq_ok)
        return mq_failed;
    command->mark = mark;
    command->pid = make_waiter(&start, &ends, command);
    return take_ends(&ends, words[0], error, command);
}

enum mq_result mq_command_release(struct mq_command *command,
                                  struct mq_error *error)
{
    if (write(command->gate, "", 1) == 1)
        return mq_ok;
    return mq_fail(error, "cannot start the program: %s", strerror(errno));
}

enum mq_result mq_command_check(struct mq_command *command, const char *name,
                                struct mq_error *error)
{
    int number = 0;

    if (read(command->report, &number, sizeof number) != sizeof number)
        return mq_ok;
    return mq_fail(error, "cannot execute '%s': %s", name,
                   strerror(number));
}

/* The process itself; one with a proxy stays to be waited for. */
static void reap(struct mq_command *command, int *status)
{
    char state = mq_proc_state(command->pid);
    int got;

    if (command->waiter != 0) {
        if (state == 'Z' || state == '\0')
            command->pid = 0;
    } else if (waitpid(command->pid, &got, WNOHANG) == command->pid) {
        command->pid = 0;
        *status = got;
    }
}

/* Sends what is left of the command a signal, or none; whether there was
 * something.
 */
static bool signal_all(const struct mq_command *command, pid_t group,
                       int number)
{
    bool is_there = command->pid != 0;

    if (command->waiter == 0)
        return kill(-group, number) == 0 || is_there;
    if (is_there)
        kill(group, number);
    return mq_descendants_signal(&command->mark, number) > 0 || is_there;
}

/* Polls up to NAPS times until nothing is left. */
static bool wait_for_end(struct mq_command *command, pid_t group, int naps,
                         int *status)
{
    for (; naps > 0; naps--) {
        if (command->pid != 0)
            reap(command, status);
        if (!signal_all(command, group, 0))
            return true;
        mq_nap(10);
    }
    return false;
}

int mq_command_end(struct mq_command *command)
{
    pid_t group = command->pid;
    int status = -1;

    close(command->gate);
    close(command->report);
    if (group <= 0)
        return status;
    signal_all(command, group, SIGTERM);
    signal_all(command, group, SIGCONT);
    if (!wait_for_end(command, group, polite_naps, &status)) {
        signal_all(command, group, SIGKILL);
        wait_for_end(command, group, final_naps, &status);
    }
    return status;
}
