/* called.c - ranks inside libraries other than MPI
 *
 * called NAME FILE: rank 1, and of those of "peers" every rank but 0, is in the
 * library's function NAME for ever; with a "+" before it, for a while, again
 * and again.  FILE.RANK comes into being before that.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "ranks.h"

#define FUNCTIONS(do_it) \
    do_it(cudaStreamSynchronize) do_it(cuCtxSynchronize) \
    do_it(hipDeviceSynchronize) do_it(clFinish) do_it(ncclAllReduce) \
    do_it(nvshmem_barrier_all) do_it(PQexec) do_it(dgemm_) do_it(solve_flux)

#define DECLARE(name) int name(int milliseconds);
FUNCTIONS(DECLARE)

static int step(const char *name, int milliseconds)
{
#define CALL(function) \
    if (strcmp(name, #function) == 0) \
        return function(milliseconds);
    FUNCTIONS(CALL)
    return -1;
}

int main(int argc, char **argv)
{
    int goes_on, is_in;
    const char *name;

    MPI_Init(&argc, &argv);
    find_place();
    if (argc != 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    goes_on = argv[1][0] == '+';
    name = argv[1] + goes_on;
    is_in = rank == 1 || (rank > 1 && (strncmp(name, "nccl", 4) == 0
                                       || strncmp(name, "nvshmem", 7) == 0));
    appear(argv[2]);
    do {
        if (is_in)
            step(name, goes_on ? 20 : 0);
        MPI_Barrier(MPI_COMM_WORLD);
    } while (goes_on);
    MPI_Finalize();
    return 0;
}
