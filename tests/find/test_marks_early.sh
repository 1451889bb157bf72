# test_marks_early.sh - ranks in MPI_Init are not marked
# tier: live
#
# A job that starts is looked at: no rank is told of a debugger before it has
# left MPI_Init, where it would wait for that; none is held, and none is said to
# be.  The starter is told, and its gate opened, once its ranks are there.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb

# address PID VARIABLE
address() {
    gdb -nx -batch -p "$1" -ex "printf \"at %lu\\n\", (unsigned long)&$2" \
        2> /dev/null | sed -n 's/^at //p'
}

# word PID ADDRESS
word() {
    dd if="/proc/$1/mem" bs=1 skip="$2" count=4 2> /dev/null |
        od -An -v -td4 | tr -d ' '
}

# begin ARGUMENT...: starts a starter whose last rank is late.
begin() {
    ranks=2 counters=$scratch/counters.$(date +%s%N)
    late=$scratch/late
    : > "$late"
    "$BUILD/job/le64/starter" --program "$BUILD/job/le64/job" --ranks 2 \
        --counters "$counters" --late "$late" "$@" stream &
    job=$!
    jobs_started="$jobs_started $job"
    wait_until has_ranks
}
has_ranks() { [ "$(pgrep -P "$job" -x job | wc -l)" -eq 2 ]; }
last_rank() { pgrep -P "$job" -x job | tail -n 1; }

# A rank that goes into MPI_Init while others are looked at.
has_looked() { grep -qs 'stopped for' "$scratch/err" || has_ended "$reader"; }
begin
$mqdump --verbose --parallel 1 --looks 3 --settle 1 --job "$job" \
    > "$scratch/out" 2> "$scratch/err" &
reader=$!
wait_until has_looked
rm "$late"
wait $reader
if wait_until job_is_ready; then
    pass
else
    fail "a rank waits" < "$scratch/err"
fi
said_to_wait() { cat "$scratch/out" "$scratch/err" | grep -c MPIR_debug_gate; }
check_equal "said to wait" "$(said_to_wait)" 0
stop_jobs

# Again and again, as soon as there is a process.
held=0 said=0 i=0
while [ $i -lt 6 ]; do
    i=$((i + 1))
    begin
    (sleep "0.$((i % 10))" && rm "$late") &
    $mqdump --job "$job" > "$scratch/out" 2> "$scratch/err"
    wait $!
    wait_until job_is_ready || held=$((held + 1))
    said=$((said + $(said_to_wait)))
    stop_jobs
done
check_equal "ranks that wait" $held 0
check_equal "said to wait" $said 0

# Lets the reader, whose DLL waits, go on to its end.
let_go() {
    until has_ended "$reader"; do
        rm -f "$WAITS"
        sleep 0.05
    done
    wait "$reader"
}

# The starter learns of the debugger while its ranks are looked at.
WAITS=$scratch/waits AT_PROCESS=1
export WAITS AT_PROCESS
begin
rm "$late"
wait_until job_is_ready
debugged=$(address "$job" MPIR_being_debugged)
gate=$(address "$job" MPIR_debug_gate)
$mqdump --verbose --no-write --dll "$BUILD/tests/dlls/waits.so" --job "$job" \
    > "$scratch/out" 2> "$scratch/err" &
reader=$!
wait_until [ -e "$WAITS" ]
check_equal "--no-write: marks" \
    "$(word "$job" "$debugged") $(word "$job" "$gate")" "0 0"
let_go
$mqdump --verbose --dll "$BUILD/tests/dlls/waits.so" --job "$job" \
    > "$scratch/out" 2> "$scratch/err" &
reader=$!
wait_until [ -e "$WAITS" ]
check_equal "marks during it" \
    "$(word "$job" "$debugged") $(word "$job" "$gate")" "1 1"
let_go
known STARTER "$job"
check_golden "what is written" "$(grep -w "$job $told_debugged" "$scratch/err")"
check_equal "marks afterwards" \
    "$(word "$job" "$debugged") $(word "$job" "$gate")" "0 1"

# Whatever ends that: all but the one that sets it back, which ignores SIGTERM.
all_but_keepers() {
    for process in "$reader" $(below "$reader"); do
        ignored=$(sed -n 's/^SigIgn:[[:space:]]*//p' "/proc/$process/status")
        [ $((0x$ignored & 0x4000)) -ne 0 ] || echo "$process"
    done
}
$mqdump --dll "$BUILD/tests/dlls/waits.so" --job "$job" > "$scratch/out" \
    2> "$scratch/err" &
reader=$!
wait_until [ -e "$WAITS" ]
check_equal "marks, again" "$(word "$job" "$debugged")" 1
# shellcheck disable=SC2046 # these are several words
kill -KILL $(all_but_keepers)
wait $reader 2> /dev/null
is_undone() { [ "$(word "$job" "$debugged")" = 0 ]; }
wait_until is_undone
check_equal "marks when killed" \
    "$(word "$job" "$debugged")" 0
stop_jobs
unset WAITS AT_PROCESS

# Ranks that wait for a debugger are let go by one that looks at their job.
ranks=2 counters=$scratch/counters.gate
"$BUILD/job/le64/starter" --program "$BUILD/job/le64/job" --ranks 2 \
    --counters "$counters" --wait 1 stream &
job=$!
jobs_started="$jobs_started $job"
wait_until has_ranks
is_held() {
    $mqdump doctor --pid "$1" > "$scratch/doctor"
    grep -q '^BROKEN  gate ' "$scratch/doctor"
}
wait_until is_held "$(last_rank)"
$mqdump --no-write --job "$job" > "$scratch/out" 2> "$scratch/err"
known WAITING "$(last_rank)"
golden_lines "--no-write: they wait" "$(last_rank)"
$mqdump --job "$job" > "$scratch/out" 2> "$scratch/err"
golden_lines "they continue" "$(last_rank).*MPIR_debug_gate"
if wait_until job_is_ready; then
    pass
else
    fail "they continue: the job" < "$scratch/err"
fi
tests_end
