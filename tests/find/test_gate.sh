# test_gate.sh - ranks that wait in MPI_Init for a debugger
# tier: live
#
# Ranks that wait in MPI_Init for a debugger: named, not touched, let go.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils

# is_held PID: whether the process is where it waits.
is_held() {
    $mqdump doctor --pid "$1" > "$scratch/doctor"
    grep -q '^BROKEN  gate ' "$scratch/doctor"
}

counters=$scratch/counters
"$BUILD/job/le64/job" --ranks 2 --wait 1 --counters "$counters" compute &
job=$! jobs_started=$! ranks=2
has_rank() { pgrep -P "$job" > "$scratch/rank"; }
wait_until has_rank
rank=$(cat "$scratch/rank")
known RANK "$rank"
if wait_until is_held "$rank"; then
    pass
else
    fail "doctor: no gate" < "$scratch/doctor"
fi
check_contains "doctor" "$(cat "$scratch/doctor")" '--open-gate --pid'
golden waits $mqdump --pid "$rank"
golden --no-write $mqdump --no-write --open-gate --pid "$rank"
is_held "$rank"
check_equal "it still waits" $? 0
golden --open-gate $mqdump --open-gate --pid "$rank"
if wait_until job_is_ready; then
    pass
else
    fail "--open-gate: it runs" < "$scratch/err"
fi
$mqdump --all --pid "$(job_pids)" > "$scratch/out" 2> "$scratch/err"
check_golden "it is shown" "$(ranks_in "$scratch/out")"
stop_jobs

# A launched job that nobody may tell of a debugger runs as it would alone.
counters=$scratch/quiet
$mqdump --no-write --verbose --all --after 4 --launch -- \
    "$BUILD/job/le64/job" --ranks 2 --counters "$counters" pending \
    > "$scratch/out" 2> "$scratch/err"
golden_lines "--launch --no-write" --no-write
check_equal "--launch --no-write: nobody is told" \
    "$(grep -c "$told_debugged" "$scratch/err")" 0
tests_end
