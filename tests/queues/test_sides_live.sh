# test_sides_live.sh - inter-communicators with different ids per side
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

requires x86-64 mpi

is_told() {
    $mqdump --pid "$pids" > "$scratch/shown" 2> "$scratch/err"
    grep -q "^Deadlock (certain): $wanted" "$scratch/shown"
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
        fail "$mpi: certain" < "$scratch/shown"
    fi
}

for mpi in $(mpis); do
    check_stuck state_coupled 3 "ranks 0, 1 $each_other"
    stop_mpis
    check_stuck state_sides 4 "rank 0 expects tag 8 from rank 2"
    check_contains "$mpi: message" \
        "$(tr -s ' \n' ' ' < "$scratch/shown")" "but rank 2 sent tag 8 on MPI"
    stop_mpis
done

tests_end
