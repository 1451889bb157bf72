# test_looks.sh - repeated samples
# tier: live
#
# Running processes are looked at again and again: have they moved?
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils

# look ARGUMENT...: what the recordings of the job say of looks.
look() {
    rm -rf "$scratch/recording"
    $mqdump --record "$scratch/recording" --pid "$(job_pids)" "$@" \
        > "$scratch/out" 2> "$scratch/err"
    sed -n 's/^looks \([0-9]*\) \([0-9.]*\) \(.*\)/\1 \3/p' \
        "$scratch"/recording/*.mqsnap | sort -u > "$scratch/looks"
    cat "$scratch/looks"
}

# ---- What stands still -----------------------------------------------------

start_job le64 4 pending
case $(look) in
"3 still") pass ;;
"10 equal") skip "counted returns" "perf_event_open" ;;
*) fail "ranks that wait" < "$scratch/looks" ;;
esac
check_contains "two looks" "2 still 2 equal" "$(look --looks 2 --settle 0.05)"
check_equal "one look" "$(look --looks 1)" "1 unknown"
$mqdump --digest "$scratch/digest" "$scratch"/recording/*.mqsnap
check_equal "a digest" \
    "$(grep -c '^looks 1 0.000 unknown$' "$scratch/digest")" 4
$mqdump -v --looks 2 --pid "$(job_pids)" > "$scratch/out" 2> "$scratch/err"
check_golden "how long" "$(grep -o '4 processes .* for' "$scratch/err")"

# ---- Where it is ------------------------------------------------------------

look --looks 1 > /dev/null
recording=$scratch/recording/rank-00000.mqsnap
check_equal "the call" "$(grep '^thread' "$recording")" "thread MPI_Recv"
check_contains "the call site" \
    "$(grep '^frame .* -$' "$recording" | head -n 1)" \
    "frame pending "
check_equal "arguments" "$(grep -E '^argument (source|tag)' "$recording")" \
    "argument source 1 sure
argument tag 7777 sure"
check_runs "looks"
for pid in $(job_pids | tr , ' '); do
    check_equal "nobody traces $pid" \
        "$(awk '/^TracerPid/ { print $2 }' "/proc/$pid/status")" 0
done
stop_jobs

# ---- What does not stop -----------------------------------------------------

cat > "$scratch/held.c" << 'END'
#include <unistd.h>
int main(void)
{
    if (vfork() == 0) {
        alarm(900);
        pause();
        _exit(0);
    }
    return 0;
}
END
gcc -o "$scratch/held" "$scratch/held.c"
"$scratch/held" &
held=$!
is_held() { pgrep -P $held > "$scratch/child"; }
wait_until is_held
start_job le64 2 pending
$mqdump -v --looks 1 --pid "$(job_pids),$held" > "$scratch/out" \
    2> "$scratch/err"
kill -KILL "$(cat "$scratch/child")"
wait $held
known HELD "$held"
golden_lines "state D" "process $held "
check_contains "others stop briefly" \
    "$(grep '2 processes' "$scratch/err")" " 0."
stop_jobs

# ---- What moves -------------------------------------------------------------

# Each look may show the same, but a count tells.
start_job le64 2 circle
moved=$(look --looks 3)
if [ "$(sed 's/.* //' "$scratch/looks" | sort -u)" = equal ]; then
    skip "a loop" "perf_event_open"
else
    check_contains "a loop moves" "2 moved 3 moved" "$moved"
fi
check_runs "a loop"
stop_jobs

# ---- Options ----------------------------------------------------------------

for wrong in 0 x 1x -1 4000; do
    golden "--settle $wrong" $mqdump --settle "$wrong" --pid 1
done

tests_end
