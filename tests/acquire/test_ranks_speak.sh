# test_ranks_speak.sh - ranks that tell a debugger themselves of an abort
# tier: live
#
# Ranks of a launched job that tell a debugger themselves of an abort and, in the
# way of the MPI-2 draft, of what changes the job: they are heard as the first
# process is.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if ! reads_directly; then
    skip "ranks that speak" "this build has no elfutils"
    tests_end
fi
folder=$BUILD/job/le64

is_listening() { grep -qs 'the job runs' "$scratch/err"; }

# speaks NAME WORD...: the last rank of three aborts when mqdump listens.
speaks() {
    name=$1
    shift
    : > "$scratch/late"
    : > "$scratch/err"
    "$mqdump" --verbose --queues --launch -- "$@" --ranks 3 --speaks 1 \
        --late "$scratch/late" --counters "$scratch/counters" abort \
        > "$scratch/out" 2> "$scratch/err" &
    launcher=$!
    wait_until is_listening || fail "$name: does not run" < "$scratch/err"
    rm "$scratch/late"
    wait $launcher
    check_equal "$name: exit status" $? 1
    check_equal "$name: ranks" "$(ranks_in "$scratch/out")" \
        '0 MPI_Recv,1 MPI_Recv,2 MPI_Abort'
    said=$(sed -n 's/^mqdump: process \([0-9]*\): \(MPI[^ ]*_state\) is/\2/p' \
        "$scratch/err")
}

aborts='the job is aborting (MPIR_DEBUG_ABORTING): MPI_Abort by rank 2 with code 3'
start='MPIR_debug_state 1: the job has been spawned (MPIR_DEBUG_SPAWNED)'
speaks 'below a starter' "$folder/starter" --program "$folder/job"
check_equal 'below a starter' "$said" "$start
MPIR_debug_state 2: $aborts"
speaks 'below rank 0' "$folder/job"
check_equal 'below rank 0' "$said" "$start
MPIR_debug_state 2: $aborts"

info=MPI2DD_info.debug_state
speaks 'the MPI-2 draft' "$folder/job-mpi2dd" --event 2
check_equal 'the MPI-2 draft' "$said" \
    "$info 1: the job has started (MPI2DD_DEBUG_START)
$info 2: processes were spawned (MPI2DD_DEBUG_SPAWN)
$info 8: the job is aborting (MPI2DD_DEBUG_ABORT): MPI_Abort by rank 2 with code 3"

counters=$scratch/counters
job_is_gone() { ! pgrep -f "$counters" > /dev/null; }
if wait_until job_is_gone; then
    pass
else
    pgrep -af "$counters" | fail "something is left"
fi
tests_end
