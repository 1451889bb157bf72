/* run_in_child.c - runs the work in a child, and checks that it finished */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/run_in_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child: works, and reports the end. */
static void be_child(int (*work)(void *), void *argument, int word,
                     const sigset_t *mask, pid_t parent)
{
    unsigned char status;

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    sigprocmask(SIG_SETMASK, mask, NULL);
    status = (unsigned char)work(argument);
    fflush(NULL);
    if (write(word, &status, 1) != 1)
        _exit(1);
    _exit(status);
}

/* Whether the signal was sent to this process alone; terminals signal both. */
static bool is_for_this(const siginfo_t *signal)
{
    return signal->si_signo != SIGCHLD && signal->si_code <= 0;
}

/* Waits for the child's end, and passes on signals that ask for it.  *ASKED
 * becomes a signal that the child has not handled: one that came too late for
 * it, or one that can only ask for an end.
 */
static int wait_for(pid_t child, const sigset_t *set, int *asked)
{
    const struct timespec at_once = { 0, 0 };
    bool shares_session = getsid(child) == getsid(0);
    int status = 0;
    siginfo_t signal;

    for (;;) {
        pid_t ended = waitpid(child, &status, WNOHANG);

        if (ended == child || (ended < 0 && errno != EINTR))
            break;
        if (sigwaitinfo(set, &signal) <= 0 || signal.si_signo == SIGCHLD
            || (!is_for_this(&signal) && shares_session))
            continue;
        if (waitpid(child, &status, WNOHANG) == child) {
            *asked = signal.si_signo;
            break;
        }
        kill(child, signal.si_signo);
        if (signal.si_signo != SIGINT)
            *asked = signal.si_signo;
    }
    while (sigtimedwait(set, &signal, &at_once) > 0)
        if (is_for_this(&signal))
            *asked = signal.si_signo;
    return status;
}

static int report_end(int status, int failure)
{
    if (WIFSIGNALED(status))
        fprintf(stderr, "mqdump: the reader was killed by signal %d (%s); "
                "the output above is incomplete; try another DLL with --dll\n",
                WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        fprintf(stderr, "mqdump: the reader exited early, with status %d; "
                "the output above is incomplete: the DLL must have "
                "called exit; try another one with --dll\n",
                WEXITSTATUS(status));
    return failure;
}

static void die_of(int signal_number)
{
    sigset_t one;

    signal(signal_number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, signal_number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(signal_number);
}

int mq_run_in_child(int (*work)(void *argument), void *argument, int failure)
{
    pid_t parent = getpid(), child;
    unsigned char said = 0;
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    sigset_t asking, set, mask;
    int word[2], status, asked = 0;
    ssize_t got;

    if (pipe2(word, O_CLOEXEC | O_NONBLOCK) != 0) {
        fprintf(stderr, "mqdump: cannot make a pipe: %s\n", strerror(errno));
        return failure;
    }
    sigemptyset(&asking);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaddset(&asking, numbers[i]);
    set = asking;
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &mask);
    child = fork();
    if (child == 0)
        be_child(work, argument, word[1], &mask, parent);
    close(word[1]);
    status = child > 0 ? wait_for(child, &set, &asked) : 0;
    got = child > 0 ? read(word[0], &said, 1) : -1;
    close(word[0]);
    if (child < 0) {
        fprintf(stderr, "mqdump: cannot start a process: %s\n",
                strerror(errno));
        return failure;
    }
    if (asked != 0 && got == 1 && said != failure)
        die_of(asked);          /* the work was done before it could end */
    if (got == 1)
        return said;
    if (WIFSIGNALED(status) && sigismember(&asking, WTERMSIG(status)))
        die_of(WTERMSIG(status));
    return report_end(status, failure);
}
