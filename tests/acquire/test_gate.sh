# test_gate.sh - ranks that wait in MPI_Init for a debugger
# tier: live
#
# Ranks that wait in MPI_Init for a debugger: named, not touched, let go.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if ! reads_directly; then
    skip "ranks at their gate" "this build has no elfutils"
    tests_end
fi

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
if wait_until is_held "$rank"; then
    pass
else
    fail "doctor: the gate is not named" < "$scratch/doctor"
fi
check_contains "doctor" "$(cat "$scratch/doctor")" '--open-gate --pid'
fails "it waits" "process $rank waits in MPI_Init until a debugger opens its \
gate (MPIR_debug_gate)" --pid "$rank"
fails "--no-write" "which --no-write forbids" --no-write --open-gate \
    --pid "$rank"
is_held "$rank"
check_equal "it still waits" $? 0
fails "--open-gate" "process $rank waited in MPI_Init for a debugger: its gate \
(MPIR_debug_gate) has been opened" --open-gate --pid "$rank"
if wait_until job_is_ready; then
    pass
else
    fail "--open-gate: the job does not run on" < "$scratch/err"
fi
$mqdump --all --pid "$(job_pids)" > "$scratch/out" 2> "$scratch/err"
check_equal "it is shown" "$(ranks_in "$scratch/out")" '0 no MPI call,1 no MPI call'
stop_jobs

# A launched job that nobody may tell of a debugger runs as it would alone.
counters=$scratch/quiet
$mqdump --no-write --verbose --all --after 4 --launch -- \
    "$BUILD/job/le64/job" --ranks 2 --counters "$counters" pending \
    > "$scratch/out" 2> "$scratch/err"
check_contains "--launch --no-write" "$(errors)" \
    'no process is released (--no-write)'
check_equal "--launch --no-write: nobody is told" \
    "$(grep -c "$told_debugged" "$scratch/err")" 0
tests_end
