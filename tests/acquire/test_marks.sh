# test_marks.sh - ranks remember their sends while they are looked at
# tier: live
#
# Ranks of a running job remember their sends while they are looked at, and are
# set back to what they were before, whatever ends the look.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if ! have gdb; then
    skip "marks of a debugger" "there is no gdb"
    tests_end
fi

# check_marks NAME WANTED: MPIR_being_debugged of both ranks.
check_marks() {
    marks=
    for process in $(job_pids | tr , ' '); do
        marks="$marks$(gdb -nx -batch -p "$process" \
            -ex 'printf "mark %d\n", MPIR_being_debugged' 2> /dev/null |
            sed -n 's/^mark //p')"
    done
    check_equal "$1: MPIR_being_debugged" "$marks" "$2"
}

# look ARGUMENT...: shows queues; what is said is in $scratch/err.
look() {
    "$mqdump" --queues "$@" > "$scratch/out" 2> "$scratch/err"
}

told="mqdump: ranks that do not record their sends are asked to while they are \
looked at (MPIR_being_debugged); --no-write forbids that"
late='records its sends only since mqdump looked at'
never='it did not record them'
# said: the report with its lines joined.
said() { tr -s ' \n' '  ' < "$scratch/out"; }

start_job le64 2 stream

# Between two looks there is time for a send; for how much, the machine says.
for seconds in 0.2 1 8 64; do
    look --queue send --looks 2 --settle $seconds --job "$job"
    ! grep -q '^ *send .* 55 ' "$scratch/out" || break
done
check_contains "--job: sends are shown" "$(cat "$scratch/out")" '  send  '
check_contains "--job: what is missing is said" "$(said)" "$late"
check_equal "--job: what is written is a note" "$(errors)" ""
look --verbose --job "$job"
check_equal "--job: what is written is said once" \
    "$(grep -c -x -F -e "$told" "$scratch/err")" 1
check_marks "--job" 00
check_runs "--job"

look --record "$scratch/kept" --job "$job"
look "$scratch/kept"
check_contains "a recording says so, too" "$(said)" "$late"

look --no-write --job "$job"
check_equal "--no-write: nothing is written" "$(errors)" ""
check_contains "--no-write" "$(said)" "$never"
look --pid "$(job_pids)"
check_equal "--pid: nothing is written" "$(errors)" ""
check_contains "--pid" "$(said)" "$never"
stop_jobs

# Ranks that stand still look the same in every look.
start_job le64 2 deadlock
"$mqdump" --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "a deadlock is none the less certain" $? 1
check_contains "a deadlock is none the less certain" "$(cat "$scratch/out")" \
    'Deadlock: '
check_marks "a deadlock" 00
stop_jobs

# Who remembers sends already goes on doing so.
start_job le64 2 --keep-sends 1 stream
look --job "$job"
check_equal "sends that are kept: nothing is said" "$(errors)" ""
check_marks "sends that are kept" 11
stop_jobs

tests_end
