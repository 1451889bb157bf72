/* options.c - the command line of the job and of its starter */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi_job.h"
#include "mpir_variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job_options job_options = {
    .ranks = 4, .operations = 0, .seconds = 900, .scenario = "pending",
    .remote = 2
};

/* The handle DLLs that the library names, up to a null. */
static const char *mpidbg_dlls[2];
const char **mpidbg_dll_locations = mpidbg_dlls;

static const struct option {
    const char *name;
    int *number;
    const char **text;
    const char *help;
} options[] = {
    { "--ranks", &job_options.ranks, NULL, "how many ranks (4)" },
    { "--operations", &job_options.operations, NULL,
      "so many more operations in each rank (0)" },
    { "--seconds", &job_options.seconds, NULL,
      "the job ends itself after so long (60)" },
    { "--wait", &job_options.wait, NULL,
      "1: wait at the gate although no debugger started the job, as with "
      "-mpichksq" },
    { "--keep-sends", &job_options.keep_sends, NULL,
      "1: keep the send queue although no debugger started the job" },
    { "--thread", &job_options.helper_thread, NULL,
      "1: a second thread that waits in a function named MPI_..." },
    { "--hold", NULL, &job_options.hold,
      "no rank starts while this file exists" },
    { "--late", NULL, &job_options.late,
      "with a starter: the last rank calls MPI_Init when this file is gone" },
    { "--execute", NULL, &job_options.execute,
      "in stream: what a rank becomes when a debugger makes itself known" },
    { "--counters", NULL, &job_options.counters,
      "file with one int for each rank that moves while the rank runs" },
    { "--program", NULL, &job_options.program,
      "what a starter starts, and what the table of processes says" },
    { "--event", &job_options.event, NULL,
      "with MPI2DD: what MPI2DD_breakpoint is called for after the start" },
    { "--speaks", &job_options.speaks, NULL,
      "1: the rank that aborts tells the debugger, when --late's file is "
      "gone" },
    { "--directory", NULL, &job_options.directory,
      "with MPI2DD: a host that has a directory and a metadirectory" },
    { "--spawned", NULL, &job_options.spawned,
      "with MPI2DD: PID,PID,... are the ranks of a world that this one made" },
    { "--remote", &job_options.remote, NULL,
      "ranks of the world that bridge and idle_bridge lead to (2)" },
    { "--handle-dll", NULL, &mpidbg_dlls[0], "in mpidbg_dll_locations" },
    { "--dll", NULL, NULL, "the text of MPIR_dll_name" },
};

static void usage(const char *program)
{
    size_t i;

    printf("usage: %s [OPTION VALUE]... SCENARIO\n", program);
    printf("  %-14s %s\n", "pending", "operations of all kinds, then a "
           "receive of what nobody sends");
    printf("  %-14s %s\n", "compute", "the same operations, then no MPI call");
    printf("  %-14s %s\n", "deadlock", "each rank receives from the next one");
    printf("  %-14s %s\n", "until-told", "messages in a circle until SIGUSR1 "
           "comes, then a receive of what nobody sends");
    printf("  %-14s %s\n", "abort", "the last rank calls MPI_Abort");
    printf("  %-14s %s\n", "finish", "nothing, and MPI_Finalize");
    printf("and the programs of programs.c\n");
    for (i = 0; i < sizeof options / sizeof options[0]; i++)
        printf("  %-14s %s\n", options[i].name, options[i].help);
    exit(2);
}

static void set(const struct option *option, const char *value)
{
    if (option->number != NULL)
        *option->number = atoi(value);
    else if (option->text != NULL)
        *option->text = value;
    else
        snprintf(MPIR_dll_name, 512, "%s", value);
}

void job_read_options(int argc, char **argv)
{
    size_t i, count = sizeof options / sizeof options[0];
    int argument = 1;

    job_options.program = argv[0];
    for (; argument + 1 < argc; argument += 2) {
        for (i = 0; i < count; i++)
            if (strcmp(argv[argument], options[i].name) == 0)
                break;
        if (i == count)
            usage(argv[0]);
        set(&options[i], argv[argument + 1]);
    }
    if (argument < argc)
        job_options.scenario = argv[argument];
    if (argument + 1 < argc || job_options.scenario[0] == '-' ||
        job_options.ranks < 1 || job_options.ranks > max_ranks)
        usage(argv[0]);
}
