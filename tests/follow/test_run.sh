# test_run.sh - mqdump run: exit status, signals and hangs
# tier: live, long
#
# What a command is given and gives back, which signals reach it, when it is
# ended and what is left, and what harms it: nothing that happens to mqdump.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

run() { timeout 600 "$mqdump" run "$@" > "$scratch/out" 2> "$scratch/err"; }
answers() { check_equal "$1: status" "$status" "$2"; }

# ---- What goes in and comes out --------------------------------------------

run true
status=$?
answers "a command" 0
run -- sh -c 'cat; echo said >&2; exit 7' < tests/kit/run.sh
status=$?
answers "its own" 7
check_equal "input and output" "$(cksum < "$scratch/out")" \
    "$(cksum < tests/kit/run.sh)"
check_equal "errors, and nothing else" "$(errors)" said
run "$scratch/none"
status=$?
answers "no command" 127
run tests/kit/run.sh < /dev/null
status=$?
answers "a text file" 126
check_golden "a text file" "$(errors)"
run --stuck-after 5
status=$?
answers "no words" 125
run --pid 1 -- true
status=$?
answers "two sources" 125
for number in 9 15; do
    run -- sh -c "kill -$number \$\$"
    status=$?
    answers "ended by signal $number" $((128 + number))
done
check_equal "output ends" "$(timeout 60 "$mqdump" run -- \
    sh -c 'echo first; exec >&-; sleep 0.1; echo second >&2' 2>&1 |
    tr '\n' ' ')" "first second "

# ---- Signals ----------------------------------------------------------------

cat > "$scratch/traps" << 'END'
for name in HUP INT QUIT USR1 USR2 TERM; do
    trap "echo $name >> '$1'" $name
done
trap 'exit 9' ALRM
echo ready >> "$1"
while :; do sleep 0.1; done
END
env --default-signal "$mqdump" run -- sh "$scratch/traps" "$scratch/heard" &
runner=$!
has_heard() { [ "$(tail -n 1 "$scratch/heard" 2> /dev/null)" = "$1" ]; }
wait_until has_heard ready || fail "not ready" < /dev/null
for name in HUP INT QUIT USR1 USR2 TERM; do
    kill -s $name $runner
    wait_until has_heard $name || fail "$name" < "$scratch/heard"
done
kill -s ALRM $runner
wait $runner
check_equal "signals: status" $? 9
check_equal "each once" "$(wc -l < "$scratch/heard")" 7

# A terminal tells all of its group, and gives what is typed to the command.
if have script; then
    printf 'typed\nmore\n' | script -qec "'$mqdump' run -- sh -c \
        'read -r line; echo got \$line'" /dev/null > "$scratch/out" 2>&1
    check_contains "a terminal's input" "$(cat "$scratch/out")" "got typed"
fi

# ---- What mqdump itself may suffer -------------------------------------------

# processes: of the command, wherever they are
of_command() { pgrep -f "$scratch/left" > /dev/null; }
is_gone() { ! of_command; }
cat > "$scratch/left" << 'END'
#!/bin/sh
trap '' INT
setsid sh -c "sleep 300; : $0" &
: > "$0.begun"
sleep 300
END
chmod +x "$scratch/left"
"$mqdump" run -- "$scratch/left" 2> "$scratch/err" &
runner=$!
wait_until [ -e "$scratch/left.begun" ]
kill -KILL $runner
wait $runner 2> "$scratch/err"
wait_until is_gone || fail "SIGKILL" < /dev/null
check_equal "nothing is left" "$(pgrep -af "$scratch/left")" ""

# The command lasts until it was said.
"$mqdump" run -- sh -c ': > "$0.begun"
    until [ -e "$0" ]; do sleep 0.1; done; exit 3' \
    "$scratch/said" 2> "$scratch/err" &
runner=$!
wait_until [ -e "$scratch/said.begun" ]
kill -KILL "$(pgrep -P $runner)"
wait_until [ -s "$scratch/err" ]
touch "$scratch/said"
wait $runner
check_equal "watch killed: status" $? 3
check_golden "watch killed" "$(errors)"

# ---- Jobs ----------------------------------------------------------------------

program=$BUILD/job/le64/job
run --stuck-after 1 --report "$scratch/hang.json" -- "$program" --ranks 2 \
    --seconds 600 --counters "$scratch/counters" deadlock
status=$?
answers "hangs" 124
check_equal "hangs: report" "$(verdict_in "$scratch/hang.json")" deadlock
check_golden "hangs" "$(grep -o 'Deadlock (certain): ranks 0, 1 .*' "$scratch/err")
$(tail -n 1 "$scratch/err")"
check_equal "hangs: stdout" "$(cat "$scratch/out")" ""
check_equal "hangs: processes" "$(pgrep -af "$scratch/counters")" ""

run --stuck-after 1 -- "$program" --ranks 2 --seconds 12 \
    --counters "$scratch/counters" stream
check_equal "moves: stderr" \
    "$(grep -v '^Alarm clock$' "$scratch/err")" ""      # the job's own last word

# One whose ranks somebody has stopped does not hang.
"$mqdump" run --stuck-after 1 -- "$program" --ranks 2 --seconds 600 \
    --counters "$scratch/stopped" stream 2> "$scratch/err" &
runner=$!
ranks_of() {
    for pid in $(pgrep -x job); do
        ! grep -qs "$1" "/proc/$pid/cmdline" || echo "$pid"
    done
}
is_ready() { [ "$(ranks_of "$scratch/stopped" | wc -l)" -eq 2 ]; }
wait_until is_ready
# shellcheck disable=SC2046 # these are several words
kill -STOP $(ranks_of "$scratch/stopped")
sleep 8
check_equal "stopped: stderr" \
    "$(kill -0 $runner && cat "$scratch/err")" ""
# shellcheck disable=SC2046
kill -KILL $(ranks_of "$scratch/stopped")
wait $runner 2> "$scratch/err"

for mpi in $(mpis); do
    "mpicc.$mpi" -w -g -O1 -o "$scratch/hangs" tests/programs/hangs/hangs.c \
        -pthread
    case $mpi in
    openmpi) many=--oversubscribe ;;
    *) many= ;;
    esac
    # shellcheck disable=SC2086
    run --stuck-after 2 -- "mpirun.$mpi" $many -n 4 "$scratch/hangs" ring_recv \
        "$scratch/ready"
    status=$?
    answers "$mpi: a ring" 124
    check_golden "$mpi" "$(grep -o 'ranks 0, 1, 2, 3 .* in MPI_Recv' \
        "$scratch/err" | head -n 1)"
    wait_until eval "! pgrep -f '$scratch/hangs' > /dev/null"
    check_equal "$mpi: processes" "$(pgrep -af "$scratch/hangs")" ""
done

tests_end
