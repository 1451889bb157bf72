/* counts_signals.c - a process that tells each signal to go on that it gets,
 * and when it stood still: what others do to it without having to ask
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void tell(int number)
{
    static const char word[] = "signal\n";

    (void)number;
    if (write(STDOUT_FILENO, word, sizeof word - 1) < 0)
        _exit(1);
}

int main(void)
{
    signal(SIGCONT, tell);
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}
