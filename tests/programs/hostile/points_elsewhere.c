/* points_elsewhere.c - a starter whose symbols are elsewhere than they should
 * be
 *
 * "find text" and "find data" tell where the C library has four zero bytes in
 * its code, and in its data.  Linked again with MPIR_being_debugged there,
 * "start PID..." is a starter whose ranks are these processes.  "watch" is such
 * a rank, and tells when one of the two places changes.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *host_name, *executable_name;
    int pid;
} MPIR_PROCDESC;

static MPIR_PROCDESC table[8];
static char host[256];
MPIR_PROCDESC *MPIR_proctable = table;
volatile int MPIR_proctable_size, MPIR_debug_state;
int MPIR_i_am_starter;

__attribute__((__noinline__)) void MPIR_Breakpoint(void)
{
    __asm__ volatile ("");
}

/* Aligned zeros in the C library where it may be accessed so. */
static const int *find(const char *access)
{
    char line[512], found[8];
    unsigned long begin, end;
    FILE *maps = fopen("/proc/self/maps", "r");
    const int *place = NULL;

    while (place == NULL && fgets(line, sizeof line, maps) != NULL) {
        if (strstr(line, "libc.so") == NULL
            || sscanf(line, "%lx-%lx %7s", &begin, &end, found) != 3
            || strcmp(found, access) != 0)
            continue;
        for (place = (const int *)begin; *place != 0; place++)
            if ((unsigned long)(place + 1) == end)
                return NULL;
    }
    fclose(maps);
    return place;
}

static void watch(const volatile int *text, const volatile int *data)
{
    puts("ready");
    fflush(stdout);
    while (*text == 0 && *data == 0)
        usleep(1000);
    puts(*text != 0 ? "text" : "data");
    fflush(stdout);
    pause();
}

/* The file "go" in the working directory starts it. */
static void start(char **pids)
{
    gethostname(host, sizeof host - 1);
    for (; *pids != NULL; pids++) {
        MPIR_PROCDESC *rank = &table[MPIR_proctable_size++];

        rank->host_name = host;
        rank->executable_name = "/proc/self/exe";
        rank->pid = atoi(*pids);
    }
    if (getenv("WAITS_FOR_IT") != NULL) {
        int count = MPIR_proctable_size;

        MPIR_proctable_size = 0;
        puts("ready");
        fflush(stdout);
        while (access("go", F_OK) != 0)
            usleep(10000);
        MPIR_proctable_size = count;
    }
    MPIR_debug_state = 1;
    MPIR_Breakpoint();
    puts("started");
    fflush(stdout);
    pause();
}

int main(int argc, char **argv)
{
    const int *text = find("r-xp"), *data = find("rw-p");

    alarm(600);
    if (text == NULL || data == NULL || argc < 2)
        return 2;
    if (strcmp(argv[1], "find") == 0)
        printf("%#lx\n", (unsigned long)(argv[2][0] == 't' ? text : data));
    else if (strcmp(argv[1], "watch") == 0)
        watch(text, data);
    else
        start(argv + 2);
    return 0;
}
