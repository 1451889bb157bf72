/* The signals that a user ends mqdump with. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/system/interrupt.h"

#include <stddef.h>

volatile sig_atomic_t mq_interrupted;

static const int numbers[mq_interrupt_signals] = { SIGINT, SIGTERM, SIGHUP };

static volatile sig_atomic_t is_held, held;

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
    int i;

    sigemptyset(&set);
    for (i = 0; i < mq_interrupt_signals; i++)
        sigaddset(&set, numbers[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

static void end_change(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

void mq_interrupt_hold(void)
{
    sigset_t before;

    begin_change(&before);
    is_held = 1;
    held = mq_interrupted;
    mq_interrupted = 0;
    end_change(&before);
}

void mq_interrupt_resume(void)
{
    sigset_t before;

    begin_change(&before);
    is_held = 0;
    if (held)
        mq_interrupted = held;
    end_change(&before);
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
    int i;

    for (i = 0; i < mq_interrupt_signals; i++) {
        sigaction(numbers[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

void mq_interrupt_release(const struct sigaction before[mq_interrupt_signals])
{
    int i;

    for (i = 0; i < mq_interrupt_signals; i++)
        sigaction(numbers[i], &before[i], NULL);
    if (mq_interrupted)
        raise(mq_interrupted);
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
