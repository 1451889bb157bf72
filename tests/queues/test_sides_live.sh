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

# check_stuck PROGRAM RANKS PART: the program is in a deadlock for certain, of
# which the report has PART.
check_stuck() {
    "mpicc.$mpi" -w -o "$scratch/$1" "tests/queues/$1.c"
    start_over_ucx "$mpi" "$2" "$scratch/$1" "$scratch/ready"
    if wait_until has_verdict deadlock "$3"; then
        pass
    else
        cat "$scratch/err" >> "$scratch/shown"
        fail "$mpi: certain" < "$scratch/shown"
    fi
}

for mpi in $(mpis); do
    check_stuck state_coupled 3 '"ranks": [0, 1]'
    stop_mpis
    check_stuck state_sides 4 '"kind": "near-miss"'
    check_golden "$mpi: near miss" \
        "$(sed -n 's/^  "summary": //p' "$scratch/shown" |
            sed 's/ on MPI[^,(]*[^,( ]//g')"
    stop_mpis
done

tests_end
