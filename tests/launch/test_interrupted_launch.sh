# test_interrupted_launch.sh - who interrupts twice ends mqdump
# tier: live
#
# Who interrupts twice, a launched job and then the reading of it, ends mqdump:
# nothing is made of outcomes that never came, and nothing is left.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/slow_gdb.sh

if ! have gdb; then
    skip "an interrupted launch" "there is no gdb"
    tests_end
fi

counters=$scratch/counters ranks=6
job_is_gone() { ! pgrep -f "$counters" > /dev/null; }
# The starter's gdb attaches to the ranks, too.
runs_and_waits() {
    rm -f "$ATTACHED"
    grep -qs 'the job runs' "$scratch/err" && job_is_ready
}

env --default-signal=INT "$mqdump" --gdb "$slow_gdb" --verbose -j 1 \
    --launch -- "$BUILD/job/le64/job-partial" --ranks 6 --seconds 900 \
    --counters "$counters" pending > "$scratch/out" 2> "$scratch/err" &
launcher=$!
wait_until [ -e "$ATTACHED" ] || fail "no starter" < "$scratch/err"
rm -f "$ATTACHED"
wait_until runs_and_waits || fail "it does not run" < "$scratch/err"
kill -INT $launcher
wait_until [ -e "$ATTACHED" ] || fail "it is not read" < "$scratch/err"
kill -INT $launcher
rm -f "$ATTACHED"
wait $launcher
status=$?
check_equal "it ends of the signal" "$status" 130
check_equal "nothing is shown" "$(cat "$scratch/out")" ""
check_equal "no crash" "$(grep -c 'was killed by signal' "$scratch/err")" 0
wait_until job_is_gone
check_equal "nothing is left" "$(pgrep -af "$counters")" ""

tests_end
