/* The signals that a user ends mqdump with. */
#include "mqdump/interrupt.h"

#include <stddef.h>

volatile sig_atomic_t mq_interrupted;

static const int numbers[mq_interrupt_signals] = { SIGINT, SIGTERM, SIGHUP };

static void note(int number)
{
    mq_interrupted = number;
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
