# test_left_behind.sh - launcher that outlives its ranks
# tier: live
#
# Who started ranks that have ended, and waits for what one of them has left
# behind, is told so, by the number of that.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

cat > "$scratch/leaves.c" << 'END'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && fork() == 0) {
        execl(argv[1], argv[1], "300", (char *)0);
        _exit(1);
    }
    MPI_Finalize();
    return 0;
}
END
requires mpi
cp "$(command -v sleep)" "$scratch/left"
left() { pgrep -x -f "$scratch/left 300"; }
has_left() { left > "$scratch/pid"; }
is_over() { ! pgrep -f "^$scratch/leaves" > "$scratch/pid"; }

for mpi in $(mpis); do
    "mpicc.$mpi" -w -o "$scratch/leaves" "$scratch/leaves.c"
    start_mpi "$mpi" 2 "$scratch/leaves" "$scratch/left"
    wait_until has_left && wait_until is_over
    known STARTER "$starter"
    known LEFT "$(left)"
    golden "$mpi" "$mqdump" --job "$starter"
    kill "$(left)"
done
tests_end
