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
are_there() {
    [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq "$ranks" ]
}

is_told() {
    $mqdump --pid "$pids" > "$scratch/shown" 2> "$scratch/err"
    grep -q "^Deadlock: ranks $wanted" "$scratch/shown"
}

# check_stuck PROGRAM RANKS WANTED: of the program's ranks that is certain.
check_stuck() {
    ranks=$2 wanted=$3
    "mpicc.$mpi" -w -o "$scratch/$1" "tests/queues/$1.c"
    rm -f "$scratch"/ready.*
    set -- "$scratch/$1" "$scratch/ready"
    [ "$mpi" != openmpi ] ||
        set -- --mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any "$@"
    start_mpi "$mpi" "$ranks" "$@"
    wait_until are_there || fail "$mpi starts" < "$scratch/starter"
    pids=$(cat "$scratch"/ready.* | paste -sd, -)
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
