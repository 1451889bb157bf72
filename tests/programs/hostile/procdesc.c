/* procdesc.c - launcher with its own MPIR_PROCDESC
 *
 * procdesc RANKS: other members than the documents declare, in another order;
 * -DNO_STATE leaves MPIR_debug_state out.
 *
 * Its ranks are children that wait.  It writes their numbers, then waits.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

typedef struct {
    int pid;
    int spare;
    char *executable_name;
    char *host_name;
    long more;
} MPIR_PROCDESC;

MPIR_PROCDESC *MPIR_proctable;
int MPIR_proctable_size;
#ifndef NO_STATE
volatile int MPIR_debug_state;
#endif
volatile int MPIR_being_debugged;
int MPIR_i_am_starter;

void MPIR_Breakpoint(void);

__attribute__((noinline)) void MPIR_Breakpoint(void)
{
    __asm__ volatile ("");
}

static int start_rank(void)
{
    int pid = fork();

    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    return pid;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1;

    MPIR_proctable = calloc((size_t)count, sizeof *MPIR_proctable);
    if (MPIR_proctable == NULL)
        return 1;
    for (int i = 0; i < count; i++) {
        MPIR_proctable[i].pid = start_rank();
        MPIR_proctable[i].spare = -1;
        MPIR_proctable[i].executable_name = argv[0];
        MPIR_proctable[i].host_name = "localhost";
        printf("%d\n", MPIR_proctable[i].pid);
    }
    MPIR_proctable_size = count;
#ifndef NO_STATE
    MPIR_debug_state = 1;
#endif
    fflush(stdout);
    MPIR_Breakpoint();
    for (;;)
        pause();
}
