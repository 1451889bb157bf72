# test_ranks_speak.sh - aborts reported by ranks
# tier: live
#
# Ranks of a launched job that tell a debugger themselves of an abort and, in the
# way of the MPI-2 draft, of what changes the job: they are heard as the first
# process is.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils
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

speaks 'below a starter' "$folder/starter" --program "$folder/job"
check_golden 'below a starter' "$said"
speaks 'below rank 0' "$folder/job"
check_golden 'below rank 0' "$said"

speaks 'the MPI-2 draft' "$folder/job-mpi2dd" --event 2
check_golden 'the MPI-2 draft' "$said"

counters=$scratch/counters
job_is_gone() { ! pgrep -f "$counters" > /dev/null; }
if wait_until job_is_gone; then
    pass
else
    pgrep -af "$counters" | fail "something is left"
fi
tests_end
