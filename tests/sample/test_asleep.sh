# test_asleep.sh - ranks asleep outside MPI
# tier: live
#
# Several ranks that sleep outside MPI: the cause does not take them for ranks
# that run, as it does not take a single one.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpi

cat > "$scratch/asleep.c" << 'END'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        pause();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END

# Whether the look found two ranks outside MPI, and one that waits for both.
is_held_up() {
    timeout 60 "$mqdump" --job "$starter" > "$scratch/out" 2> "$scratch/err"
    tr -s ' \n' ' ' < "$scratch/out" > "$scratch/words"
    grep -q 'ranks 1, 2, which ' "$scratch/words"
}

for mpi in $(mpis); do
    "mpicc.$mpi" -g -o "$scratch/asleep.$mpi" "$scratch/asleep.c"
    start_mpi "$mpi" 3 env LD_PRELOAD="$PWD/$BUILD/libmqwatch-$mpi.so" \
        "$scratch/asleep.$mpi"
    wait_until is_held_up
    check_contains "$mpi" "$(cat "$scratch/words")" \
        'ranks 1, 2, which sleep'
    stop_mpis
done
tests_end
