/* spinning.c - an MPI program that is slow to have its variables
 *
 * It works for a moment and becomes $JOB_PROGRAM, as one does that loads its
 * libraries.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

const char *volatile name = "MPI_Init";

int main(int argc, char **argv)
{
    (void)argc;
    while (clock() < CLOCKS_PER_SEC / 4)
        continue;
    argv[0] = getenv("JOB_PROGRAM");
    execv(argv[0], argv);
    return 3;
}
