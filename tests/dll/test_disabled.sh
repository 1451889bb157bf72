# test_disabled.sh - a job that names a DLL of another version has no queues
# tier: live
#
# A job that names a DLL of another version has no queues, for the reason that
# is told, and is explained by its calls.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

if ! have gdb || [ -z "$(mpis)" ]; then
    skip "all of it" "there is no gdb, or no MPI"
    tests_end
fi

umask 022
cp "$BUILD/tests/dlls/other_version.so" "$scratch/other.so"
cat > "$scratch/wait.c" << END
#include <mpi.h>
char MPIR_dll_name[] = "$scratch/other.so";
int main(int argc, char **argv)
{
    int rank, got;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv(&got, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
END

ranks_wait() {
    timeout 300 "$mqdump" --job "$starter" > "$scratch/out" 2> "$scratch/err"
    grep -q '^  rank 1 in MPI_Recv' "$scratch/out"
}

for mpi in $(mpis); do
    "mpicc.$mpi" -g -o "$scratch/wait.$mpi" "$scratch/wait.c"
    start_mpi "$mpi" 2 "$scratch/wait.$mpi"
    if wait_until ranks_wait; then
        pass
    else
        cat "$scratch/out" "$scratch/err" | fail "$mpi: the calls are told"
    fi
    check_contains "$mpi: why there are no queues" \
        "$(tr -s '\n ' ' ' < "$scratch/out")" \
        "which is of no use: $scratch/other.so: it was built for version 3"
    $mqdump --dll "$scratch/other.so" --job "$starter" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "$mpi: --dll with the same DLL" $? 2
    stop_mpis
done
tests_end
