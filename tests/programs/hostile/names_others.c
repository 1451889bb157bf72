/* names_others.c - launcher that lists processes of other users
 *
 * names_others PID...: it writes "ready" and waits.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { most = 64 };

struct procdesc {
    const char *host, *executable;
    int pid;
};

static struct procdesc table[most];
struct procdesc *MPIR_proctable = table;
int MPIR_proctable_size;
volatile int MPIR_debug_state, MPIR_being_debugged;

void MPIR_Breakpoint(void);

void MPIR_Breakpoint(void)
{
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc && i <= most; i++) {
        table[i - 1].host = "localhost";
        table[i - 1].executable = "/bin/job";
        table[i - 1].pid = atoi(argv[i]);
        MPIR_proctable_size = i;
    }
    MPIR_debug_state = 1;       /* MPIR_DEBUG_SPAWNED */
    MPIR_Breakpoint();
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}
