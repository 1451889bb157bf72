# test_queues_live.sh - queues of packaged MPICH, live
# tier: live
#
# Queues of MPICH as it is packaged, whose messages go through UCX: what is read
# of jobs that hang makes what is told of them certain.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpicc.mpich mpirun.mpich x86-64
mpicc.mpich -o "$scratch/hangs" tests/programs/hangs/hangs.c

are_there() { [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq 2 ]; }

# look PROGRAM PART: starts it and waits until the report has PART, and both
# ranks as the cause.
look() {
    rm -f "$scratch"/ready.*
    start_mpi mpich 2 "$scratch/hangs" "$1" "$scratch/ready"
    wait_until are_there || fail "$1 starts" < "$scratch/starter"
    pids=$(cat "$scratch"/ready.* | paste -sd, -)
    if wait_until has_verdict deadlock "$2" '"ranks": [0, 1]'; then
        pass
    else
        fail "$1: $2 is wanted" < "$scratch/shown"
    fi
}

look ring_recv '"call": "MPI_Recv"'
$mqdump --raw --pid "$pids" > "$scratch/raw" 2> "$scratch/err"
check_equal "receives" \
    "$(grep -c '^receive status=pending .* tag=17 length=16 ' "$scratch/raw")" 2
check_equal "sends" \
    "$(grep -c '^none send' "$scratch/raw")" "$(grep -c '^comm' "$scratch/raw")"

# What was found at the first look is found again without a search; a recording
# holds all of that.
fetches() {
    $mqdump --stats "$@" 2>&1 | sed -n 's/^total.*: \([0-9]*\) fetches.*/\1/p'
}
again=$(fetches --pid "$pids")
all=$(fetches --record "$scratch/kept" --pid "$pids")
check_equal "$again of $all fetches" \
    "$([ "${again:-0}" -gt 0 ] && [ "$((again * 4))" -lt "${all:-0}" ] &&
        echo yes)" yes
$mqdump --raw "$scratch/kept" > "$scratch/replayed" 2> "$scratch/err"
check_equal "recorded receives" \
    "$(grep -c '^receive status=pending .* tag=17 ' "$scratch/replayed")" 2
stop_mpis

look ring_wait '"call": "MPI_Wait"'
stop_mpis
# Sends are on no queue; what keeps either rank in its operation is.
look bcast_against_barrier collective-mismatch
stop_mpis

tests_end
