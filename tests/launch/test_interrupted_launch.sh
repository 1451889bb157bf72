# test_interrupted_launch.sh - two interrupts end mqdump
# tier: live
#
# Who interrupts twice, a launched job and then the reading of it, ends mqdump:
# nothing is made of outcomes that never came, and nothing is left.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils

counters=$scratch/counters ranks=6
job_is_gone() { ! pgrep -f "$counters" > /dev/null; }
runs_and_waits() { grep -qs 'the job runs' "$scratch/err" && job_is_ready; }

# The DLL waits as long as there is a file, which it makes.
export WAITS="$scratch/waits"
env --default-signal=INT "$mqdump" --dll "$BUILD/tests/dlls/waits.so" \
    --verbose -j 1 --launch -- "$BUILD/job/le64/job-partial" --ranks 6 --seconds 900 \
    --counters "$counters" pending > "$scratch/out" 2> "$scratch/err" &
launcher=$!
wait_until runs_and_waits || fail "no job" < "$scratch/err"
kill -INT $launcher
wait_until [ -e "$WAITS" ] || fail "not read" < "$scratch/err"
kill -INT $launcher
rm -f "$WAITS"
wait $launcher
status=$?
check_equal "status" "$status" 130
check_equal "nothing is shown" "$(cat "$scratch/out")" ""
check_equal "no crash" "$(grep -c 'killed by signal' "$scratch/err")" 0
wait_until job_is_gone
check_equal "nothing is left" "$(pgrep -af "$counters")" ""

tests_end
