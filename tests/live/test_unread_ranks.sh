# test_unread_ranks.sh - ranks that cannot be read are part of every report
# tier: live
#
# Ranks of a job that cannot be read, or that a signal has stopped, are part of
# every report, with the reason, and nothing that depends on them is certain.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if ! have gdb || ! have python3; then
    skip "ranks that are not read" "it takes gdb and python3"
    tests_end
fi

# Of each rank its state, then the verdict.
cat > "$scratch/states.py" << 'END'
import json
import sys

report = json.load(sys.stdin)
print(*["%s %s" % (one["rank"], one["state"]) for one in report["processes"]],
      report["verdict"], sep=", ")
END
states() { python3 "$scratch/states.py"; }

start_job le64 3 recv_ring
all=$(job_pids)
rank1=$(echo "$all" | cut -d, -f2)

# A gdb that holds the process for as long as there is a file.
: > "$scratch/held"
gdb -nx -q -batch -p "$rank1" -ex "python
import os, time
while os.path.exists('$scratch/held'): time.sleep(0.05)" \
    > "$scratch/gdb.log" 2>&1 &
tracer=$!
wait_until grep -q "TracerPid:.$tracer" "/proc/$rank1/status"
why="process $rank1 is being debugged by process $tracer (gdb): end that, or use \
the command mqdump in that gdb"
# check_formats NAME WANTED: that all formats tell the same of the digest.
check_formats() {
    check_equal "$1: JSON" \
        "$($mqdump --format json "$scratch/digest" 2> "$scratch/err" \
            | states)" "$2"
    $mqdump "$scratch/digest" > "$scratch/shown" 2> "$scratch/err"
    check_contains "$1: text" "$(tr -s ' \n' ' ' < "$scratch/shown")" "$3"
    check_contains "$1: the page" \
        "$($mqdump --format html "$scratch/digest" 2> "$scratch/err")" "$3"
}

for how in job pid; do
    case $how in
    job) set -- --job "$job" ;;
    pid) set -- --pid "$all" --ranks-are 0,1,2 ;;
    esac
    $mqdump --digest "$scratch/digest" "$@" > "$scratch/shown" 2>&1
    check_equal "one is debugged, --$how: exit status" $? 2
    check_contains "one is debugged, --$how" "$(cat "$scratch/shown")" \
        "mqdump: rank 1, process $rank1: $why"
    check_formats "one is debugged, --$how" \
        "0 waits, 1 not-read, 2 waits, unknown" \
        "ranks 0, 2 wait for rank 1, which could not be read"
    check_contains "one is debugged, --$how: why" "$(cat "$scratch/digest")" \
        "remark error process $why"
done
rm "$scratch/held"
wait_until has_ended $tracer

# A stopped rank stands still, whatever has come for it.
is_stopped() { [ "$(state_of "$rank1")" = T ]; }
kill -STOP "$rank1"
wait_until is_stopped
$mqdump --digest "$scratch/digest" --job "$job" > "$scratch/shown" 2>&1
check_formats "one is stopped" "0 waits, 1 stopped, 2 waits, held-up" \
    "ranks 0, 2 wait for rank 1, which is stopped by a signal"
check_equal "it stays stopped" "$(state_of "$rank1")" T
kill -CONT "$rank1"

$mqdump --format json --job "$job" 2> "$scratch/err" > "$scratch/shown"
check_equal "none is stopped any more" "$(states < "$scratch/shown")" \
    "0 waits, 1 waits, 2 waits, deadlock"

tests_end
