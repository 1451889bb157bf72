/* ranks.h - common start of these programs
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef RANKS_H
#define RANKS_H

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct program {
    const char *name;
    void (*run)(void);
};

static int rank, size, left, right;

static void find_place(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
}

/* FILE_NAME.RANK, if that has a name, comes into being with the process in it.
 */
static void appear(const char *file_name)
{
    char name[4096];
    FILE *file;

    if (file_name == NULL)
        return;
    snprintf(name, sizeof name, "%s.%d", file_name, rank);
    file = fopen(name, "w");
    if (file == NULL || fprintf(file, "%d\n", (int)getpid()) < 0
        || fclose(file) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static void run_program(const struct program *programs, size_t count,
                        const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(programs[i].name, name) == 0)
            programs[i].run();
}

#endif
