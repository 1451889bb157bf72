/* tool_table.c - launcher with a process table from the command line
 *
 * A HOST or EXECUTABLE of "-" is a null pointer, one of "!" a wild one, one of
 * "=" is empty.  The options are --size, --state, --abort, --dll NAME, and
 * --table null.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "include/mpir.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most = 64 };

MPIR_PROCDESC *MPIR_proctable;
int MPIR_proctable_size;
volatile int MPIR_debug_state = MPIR_DEBUG_SPAWNED;
volatile int MPIR_debug_gate;
char *MPIR_debug_abort_string;
int MPIR_being_debugged;
int MPIR_i_am_starter;
char MPIR_dll_name[4096];

static MPIR_PROCDESC table[most];

void MPIR_Breakpoint(void)
{
}

/* What stands for a name on the command line. */
static char *pointer_to(char *name)
{
    return strcmp(name, "-") == 0 ? NULL
         : strcmp(name, "!") == 0 ? (char *)(uintptr_t)16
         : strcmp(name, "=") == 0 ? name + 1 : name;
}

static void set_option(const char *name, char *value)
{
    if (strcmp(name, "--size") == 0)
        MPIR_proctable_size = atoi(value);
    else if (strcmp(name, "--state") == 0)
        MPIR_debug_state = atoi(value);
    else if (strcmp(name, "--abort") == 0)
        MPIR_debug_abort_string = pointer_to(value);
    else if (strcmp(name, "--dll") == 0)
        snprintf(MPIR_dll_name, sizeof MPIR_dll_name, "%s", value);
    else if (strcmp(name, "--table") == 0)
        MPIR_proctable = NULL;
    else
        exit(2);
}

static void set_entry(MPIR_PROCDESC *entry, char *word)
{
    char *host = strtok(word, ","), *executable = strtok(NULL, ",");
    char *pid = strtok(NULL, ",");

    if (pid == NULL)
        exit(2);
    entry->host_name = pointer_to(host);
    entry->executable_name = pointer_to(executable);
    entry->pid = atoi(pid);
}

int main(int argc, char **argv)
{
    int i, first = 1;

    alarm(60);
    while (first + 1 < argc && strncmp(argv[first], "--", 2) == 0)
        first += 2;
    MPIR_proctable = table;
    MPIR_proctable_size = argc - first;
    for (i = first; i < argc && i - first < most; i++)
        set_entry(&table[i - first], argv[i]);
    for (i = 1; i < first; i += 2)
        set_option(argv[i], argv[i + 1]);
    MPIR_Breakpoint();
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}
