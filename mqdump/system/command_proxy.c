/* command_proxy.c - proxy process of a command: its signals and exit status */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/command_proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/standard.h"

/* Signals that are forwarded to the command. */
static const int passed[] = {
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU,
    SIGCONT, SIGTSTP
};

struct proxy {
    pid_t watcher;              /* 0: it has ended */
    pid_t command;              /* 0: there is none */
    bool has_ended;             /* the command, with */
    int status;
    int watcher_status;
};

/* ---- The child --------------------------------------------------------- */

void mq_command_proxy_started(int link, int pid)
{
    if (write(link, &pid, sizeof pid) != sizeof pid)
        _exit(mq_proxy_failed);
}

void mq_command_proxy_ended(int link)
{
    const int word = 0;

    if (write(link, &word, sizeof word) != sizeof word)
        _exit(mq_proxy_failed);
}

/* It has a process group of its own, so that what is meant for all of the
 * command's does not reach it.
 */
static void be_watcher(int (*work)(void *, int), void *argument, int link,
                       const sigset_t *mask, pid_t parent)
{
    int status;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(mq_proxy_failed);
    sigprocmask(SIG_SETMASK, mask, NULL);
    status = work(argument, link);
    fflush(NULL);
    _exit(status);
}

/* ---- Signals ----------------------------------------------------------- */

/* Passes on what was sent to nobody but this process: a terminal signals the
 * command, too.
 */
static void pass_on(const struct proxy *self, const siginfo_t *signal)
{
    bool is_for_this = signal->si_code <= 0;

    if (self->command != 0 && !self->has_ended && is_for_this)
        kill(self->command, signal->si_signo);
    if (signal->si_signo == SIGTSTP)
        raise(SIGSTOP);
}

/* Passes on what came before the command was known. */
static void pass_on_earlier(const struct proxy *self, const sigset_t *set)
{
    const struct timespec at_once = { 0, 0 };
    siginfo_t signal;

    while (sigtimedwait(set, &signal, &at_once) > 0)
        if (signal.si_signo != SIGCHLD && signal.si_signo != SIGTSTP)
            kill(self->command, signal.si_signo);
}

/* Takes the ends of children, and of those that nobody is left to wait for. */
static void reap(struct proxy *self)
{
    int status;
    pid_t ended;

    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
        if (ended == self->watcher) {
            self->watcher = 0;
            self->watcher_status = status;
        } else if (ended == self->command) {
            self->has_ended = true;
            self->status = status;
        }
    }
}

/* Until the watcher has ended and, if there is one, so has the command.  A
 * watcher that sees its command end may be gone a little earlier.
 */
static void wait_for_both(struct proxy *self, const sigset_t *set)
{
    const struct timespec soon = { 1, 0 };
    bool was_signalled = false;
    siginfo_t signal;

    for (;;) {
        int number;

        reap(self);
        if (self->watcher == 0 && (self->command == 0 || self->has_ended))
            return;
        number = self->watcher == 0 && !was_signalled
                 ? sigtimedwait(set, &signal, &soon)
                 : sigwaitinfo(set, &signal);
        if (number > 0 && number != SIGCHLD)
            pass_on(self, &signal);
        if (number >= 0 || errno != EAGAIN)
            continue;
        fprintf(stderr, "mqdump: the watch has ended early; the command runs "
                "on without it\n");
        was_signalled = true;
    }
}

/* ---- The end ----------------------------------------------------------- */

/* Ends as the command did; what core there is to be is the command's. */
static int end_like(int status)
{
    const struct rlimit none = { 0, 0 };
    sigset_t all;

    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

static int status_of(const struct proxy *self, int link)
{
    int word;

    if (self->command == 0)
        return WIFEXITED(self->watcher_status)
               ? WEXITSTATUS(self->watcher_status) : mq_proxy_failed;
    if (read(link, &word, sizeof word) == sizeof word)
        return mq_proxy_ended;
    return end_like(self->status);
}

int mq_command_proxy(int (*work)(void *argument, int link), void *argument)
{
    struct proxy self = { .command = 0 };
    pid_t parent = getpid();
    sigset_t set, mask;
    int link[2], pid, status;

    if (pipe2(link, O_CLOEXEC) != 0) {
        fprintf(stderr, "mqdump: cannot make a pipe: %s\n", strerror(errno));
        return mq_proxy_failed;
    }
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
        sigaddset(&set, passed[i]);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &mask);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    self.watcher = fork();
    if (self.watcher == 0)
        be_watcher(work, argument, link[1], &mask, parent);
    close(link[1]);
    if (self.watcher < 0) {
        fprintf(stderr, "mqdump: cannot start a process: %s\n",
                strerror(errno));
        close(link[0]);
        return mq_proxy_failed;
    }
    mq_standard_leave();
    if (read(link[0], &pid, sizeof pid) == sizeof pid) {
        self.command = pid;
        pass_on_earlier(&self, &set);
    }
    fcntl(link[0], F_SETFL, O_NONBLOCK);    /* others may hold its end */
    wait_for_both(&self, &set);
    status = status_of(&self, link[0]);
    close(link[0]);
    return status;
}
