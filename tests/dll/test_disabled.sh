# test_disabled.sh - queues disabled by a DLL of another version
# tier: live
#
# A job that names a DLL of another version has no queues, for the reason that
# is told, and is explained by its calls.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires gdb mpi

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
        cat "$scratch/out" "$scratch/err" | fail "$mpi: calls"
    fi
    check_golden "$mpi: queues" "$(tr -s '\n ' ' ' < "$scratch/out" |
        grep -o "unusable: $scratch/other.so: [^(;]*" | sort -u)"
    $mqdump --dll "$scratch/other.so" --job "$starter" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "$mpi: --dll costs the queues only" \
        "$? $(grep -c '^  rank 1 in MPI_Recv at wait.c' "$scratch/out")" "1 1"
    stop_mpis
done
tests_end
