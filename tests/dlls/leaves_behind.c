/* leaves_behind.c - DLL that leaves a detached process
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dll_mpich.c"

static void stay(const char *trace)
{
    FILE *file = fopen(trace, "a");

    if (file != NULL) {
        fprintf(file, "%ld\n", (long)getpid());
        fclose(file);
    }
    sleep(600);
    _exit(0);
}

__attribute__((constructor)) static void leave_behind(void)
{
    const char *trace = getenv("TRACE");
    pid_t child = trace != NULL ? fork() : -1;

    if (child == 0) {
        setsid();
        if (fork() == 0)
            stay(trace);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}
