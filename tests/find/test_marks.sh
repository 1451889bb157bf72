# test_marks.sh - ranks record sends while marked as debugged
# tier: live
#
# Ranks of a running job remember their sends while they are looked at, and are
# set back to what they were before, whatever ends the look.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb

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

# why NAME: why sends of rank 0 may be missing in what was shown last.
why() {
    check_golden "$1" "$(sed -n '/^  note: .*sends/,/^    queue/p' \
        "$scratch/out" | sed '/^    queue/q' | grep -v '^    queue')"
}

start_job le64 2 stream

# Between two looks there is time for a send; for how much, the machine says.
for seconds in 0.2 1 8 64; do
    look --queue send --looks 2 --settle $seconds --job "$job"
    ! grep -q '^ *send .* 55 ' "$scratch/out" || break
done
check_contains "--job: sends are shown" "$(cat "$scratch/out")" '  send  '
why "--job: sends missing"
check_equal "--job: stderr" "$(errors)" ""
look --verbose --job "$job"
golden_lines "--job: what is written" 'setting MPIR_being_debugged'
check_marks "--job" 00
check_runs "--job"

look --record "$scratch/kept" --job "$job"
look "$scratch/kept"
why "recorded: sends missing"

look --no-write --job "$job"
check_equal "--no-write: stderr" "$(errors)" ""
why "--no-write: sends missing"
look --pid "$(job_pids)"
check_equal "--pid: stderr" "$(errors)" ""
why "--pid: sends missing"
stop_jobs

# Ranks that stand still look the same in every look.
start_job le64 2 deadlock
"$mqdump" --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "a deadlock: status" $? 1
check_golden "a deadlock" "$(head -n 1 "$scratch/out")"
check_marks "a deadlock" 00
stop_jobs

# Who remembers sends already goes on doing so.
start_job le64 2 --keep-sends 1 stream
look --job "$job"
check_equal "kept sends: stderr" "$(errors)" ""
check_marks "kept sends" 11
stop_jobs

tests_end
