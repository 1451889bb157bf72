# test_sides_live.sh - inter-communicators that the sides know by other numbers
# tier: live
#
# On the MPIs that are here, over UCX, a message on one inter-communicator is
# none for a receive on another one between the same ranks, even if the sender
# knows that one by the number that the receiver knows this one by; a rank that
# waits for it is stuck for certain.  So are two whose one has another one with
# the same numbers crosswise.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

if [ "$(uname -m)" != x86_64 ] || [ -z "$(mpis)" ]; then
    skip "inter-communicators, live" "it takes an MPI and x86-64"
    tests_end
fi

is_told() {
    $mqdump --pid "$pids" > "$scratch/shown" 2> "$scratch/err"
    grep -q "^Deadlock: ranks $wanted" "$scratch/shown"
}

# check_stuck PROGRAM RANKS WANTED: of the program's ranks that is certain.
check_stuck() {
    wanted=$3
    "mpicc.$mpi" -w -o "$scratch/$1" "tests/queues/$1.c"
    start_over_ucx "$mpi" "$2" "$scratch/$1" "$scratch/ready"
    if wait_until is_told; then
        pass
    else
        cat "$scratch/err" >> "$scratch/shown"
        fail "$mpi: they are stuck for certain" < "$scratch/shown"
    fi
}

for mpi in $(mpis); do
    check_stuck state_coupled 3 "0, 1 $each_other"
    stop_mpis
    check_stuck state_sides 4 "0, 2 $each_other (rank 0 in MPI_Recv, rank 2"
    check_contains "$mpi: the message on the other one" \
        "$(tr -s ' \n' ' ' < "$scratch/shown")" \
        "near miss: rank 0 waits for tag 8 from rank 2 on MPI"
    stop_mpis
done

tests_end
