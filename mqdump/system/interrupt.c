/* interrupt.c - signals by which the user ends mqdump */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/interrupt.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/wait.h>

volatile sig_atomic_t mq_interrupted;

static const int numbers[mq_interrupt_signals] = { SIGINT, SIGTERM, SIGHUP };

static volatile sig_atomic_t is_held, held, awaited;

static void note(int number)
{
    if (is_held)
        held = number;
    else
        mq_interrupted = number;
}

/* Keeps signals out while what they change is changed. */
static void begin_change(sigset_t *before)
{
    sigset_t set;

    sigemptyset(&set);
    for (int i = 0; i < mq_interrupt_signals; i++)
        sigaddset(&set, numbers[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

static void end_change(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

void mq_interrupt_block(void)
{
    sigset_t before;

    begin_change(&before);
    is_held = 1;
    held = mq_interrupted;
    mq_interrupted = 0;
    end_change(&before);
}

void mq_interrupt_unblock(void)
{
    sigset_t before;

    begin_change(&before);
    is_held = 0;
    if (held)
        mq_interrupted = held;
    end_change(&before);
}

static sigset_t before_hold;
static bool is_stop_held;

void mq_interrupt_hold_stop(void)
{
    sigset_t stop;

    if (is_stop_held)
        return;
    is_stop_held = true;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigprocmask(SIG_BLOCK, &stop, &before_hold);
}

void mq_interrupt_allow_stop(void)
{
    if (is_stop_held)
        sigprocmask(SIG_SETMASK, &before_hold, NULL);
    is_stop_held = false;
}

int mq_interrupt_take(void)
{
    sigset_t before;
    int number;

    begin_change(&before);
    number = mq_interrupted;
    mq_interrupted = 0;
    end_change(&before);
    return number;
}

void mq_interrupt_catch(struct sigaction before[mq_interrupt_signals])
{
    struct sigaction action = { .sa_handler = note };

    for (int i = 0; i < mq_interrupt_signals; i++) {
        sigaction(numbers[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

void mq_interrupt_restore(const struct sigaction before[mq_interrupt_signals])
{
    for (int i = 0; i < mq_interrupt_signals; i++)
        sigaction(numbers[i], &before[i], NULL);
    if (mq_interrupted)
        raise(mq_interrupted);
}

/* A child has ended: which one is not known if several have. */
static void note_end(int number)
{
    siginfo_t end = { .si_pid = 0 };
    int before = errno;

    if (waitid(P_PID, (id_t)awaited, &end, WEXITED | WNOHANG | WNOWAIT) == 0
        && end.si_pid == awaited)
        note(number);
    errno = before;
}

void mq_interrupt_await(pid_t child)
{
    const struct sigaction action = {
        .sa_handler = note_end, .sa_flags = SA_RESTART | SA_NOCLDSTOP
    };

    awaited = child;
    sigaction(SIGCHLD, &action, NULL);
    note_end(SIGCHLD);          /* it may have ended before */
}

void mq_interrupt_default(void)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int i = 0; i < mq_interrupt_signals; i++)
        signal(numbers[i], SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
}

void mq_interrupt_inherit(void)
{
    struct sigaction action;
    sigset_t none;

    for (int i = 0; i < mq_interrupt_signals; i++)
        if (sigaction(numbers[i], NULL, &action) == 0
            && action.sa_handler != SIG_IGN)
            signal(numbers[i], SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
