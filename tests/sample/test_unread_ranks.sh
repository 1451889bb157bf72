# test_unread_ranks.sh - unreadable ranks in every report
# tier: live
#
# Ranks of a job that cannot be read, or that a signal has stopped, are part of
# every report, with the reason, and nothing that depends on them is certain.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb python3

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
known RANK1 "$rank1"
known GDB "$tracer"
# check_formats NAME WANTED: that all formats tell the same of the digest.
check_formats() {
    check_equal "$1: JSON" \
        "$($mqdump --format json "$scratch/digest" 2> "$scratch/err" \
            | states)" "$2"
    COLUMNS=400 $mqdump "$scratch/digest" > "$scratch/shown" 2> "$scratch/err"
    headline=$(head -n 1 "$scratch/shown")
    check_golden "$1: text" "$headline"
    check_contains "$1: page" "$($mqdump --format html "$scratch/digest" \
        2> "$scratch/err")" "${headline#*: }"
}

for how in job pid; do
    case $how in
    job) set -- --job "$job" ;;
    pid) set -- --pid "$all" --ranks-are 0,1,2 ;;
    esac
    $mqdump --digest "$scratch/digest" "$@" > "$scratch/shown" 2>&1
    check_equal "debugged, --$how: status" $? 2
    check_golden "debugged, --$how" "$(grep -w "$tracer" "$scratch/shown")"
    check_formats "debugged, --$how" "0 waits, 1 not-read, 2 waits, unknown"
    check_golden "debugged, --$how: digest" "$(grep -w "$tracer" \
        "$scratch/digest")"
done
rm "$scratch/held"
wait_until has_ended $tracer

# A stopped rank stands still, whatever has come for it.
is_stopped() { [ "$(state_of "$rank1")" = T ]; }
kill -STOP "$rank1"
wait_until is_stopped
$mqdump --digest "$scratch/digest" --job "$job" > "$scratch/shown" 2>&1
check_formats stopped "0 waits, 1 stopped, 2 waits, held-up"
check_equal "it stays stopped" "$(state_of "$rank1")" T
kill -CONT "$rank1"

$mqdump --format json --job "$job" 2> "$scratch/err" > "$scratch/shown"
check_equal "none stopped" "$(states < "$scratch/shown")" \
    "0 waits, 1 waits, 2 waits, deadlock"

tests_end
