# test_launch.sh - jobs that mqdump starts, in all forms
# tier: live, long
#
# Jobs that mqdump starts, in all forms that a job can have: shown after a
# while, on an interruption and on an abort; and what is said when there is
# nothing to show.  Nothing is left of them.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils
job_folder=$BUILD/job/le64

# launch NAME MQDUMP_OPTIONS PROGRAM SCENARIO: shows a launched job of two
# ranks.  What it prints goes to $scratch/NAME.out and .err, the status to
# .status.  The job would end by itself, but long after all that is looked at.
launch() {
    case $3 in
    starter*) program="--program $job_folder/job${3#starter}" ;;
    *) program= ;;
    esac
    $mqdump $2 --queues --launch -- "$job_folder/$3" $program --ranks 2 --seconds 900 \
        --counters "$scratch/$1.counters" "$4" \
        > "$scratch/$1.out" 2> "$scratch/$1.err"
    echo $? > "$scratch/$1.status"
}

# check_launched NAME RANKS: what the launch above has printed.  Ranks that wait
# for each other, or for one that aborts, are a finding.
check_launched() {
    launched=$1
    check_equal "$1: exit status" "$(cat "$scratch/$1.status")" 1
    check_equal "$1: ranks" "$(ranks_in "$scratch/$1.out")" "$2"
    counters=$scratch/$launched.counters
    if wait_until job_is_gone; then
        pass
    else
        pgrep -af "$counters" | fail "$launched: something is left"
    fi
}

job_is_gone() { ! pgrep -f "$counters" > /dev/null; }

# runs_and_waits NAME: whether the launched job runs, and its ranks wait.
runs_and_waits() {
    counters=$scratch/$1.counters ranks=2
    grep -qs 'the job runs' "$scratch/$1.err" && job_is_ready
}

# launch_and_interrupt NAME PROGRAM: as the user does who sees no progress.
launch_and_interrupt() {
    launch "$1" --verbose "$2" pending &
    launcher=$!
    wait_until runs_and_waits "$1" || fail "$1: does not run" < "$scratch/$1.err"
    pkill -INT -P "$launcher" mqdump
    wait "$launcher"
}

all_receive='0 MPI_Recv,1 MPI_Recv'
one_aborts='0 MPI_Recv,1 MPI_Abort'

aborting='job starter job-mpi2dd'
waiting='job starter job-partial starter-partial starter-premain job-mpi2dd'
for program in $waiting; do
    case " $aborting " in
    *" $program "*) launch "$program.abort" '' "$program" abort & ;;
    esac
    aborts=$!
    launch_and_interrupt "$program" "$program"
    wait $aborts
done
for program in $waiting; do
    check_launched "$program" "$all_receive"
    # Ranks come to their main in any order.
    check_golden "$program" \
        "$(sed -n '/ executes /,/the job runs$/p' "$scratch/$program.err" |
            awk '/^mqdump: rank / { print | "sort"; next }
                { close("sort"); print; fflush() }')"
done
for program in $aborting; do
    check_launched "$program.abort" "$one_aborts"
    check_golden "$program.abort" \
        "$(grep 'debug_state is' "$scratch/$program.abort.err")"
done
for program in starter-partial job-partial; do
    check_contains "$program: sends are remembered" \
        "$(cat "$scratch/$program.out")" '    send  '
done

# After a while that the user has said; what is long enough, the machine says.
for seconds in 1 8 64 512; do
    launch after "--after $seconds" job pending
    [ "$(ranks_in "$scratch/after.out")" != "$all_receive" ] || break
done
check_launched after "$all_receive"

# kill_launch SIGNAL: that who kills mqdump while the job runs ends all of it.
kill_launch() {
    rm -f "$scratch/killed.err"
    counters=$scratch/killed.$1
    $mqdump --verbose --launch -- "$job_folder/job" --ranks 2 --seconds 900 \
        --counters "$counters" compute \
        > "$scratch/out" 2> "$scratch/killed.err" &
    launcher=$!
    wait_until grep -qs 'the job runs' "$scratch/killed.err"
    kill "-$1" $launcher
    if ends_within 300 $launcher && wait_until job_is_gone; then
        pass
    else
        pgrep -af "$counters" | fail "SIG$1: something is left"
    fi
    wait $launcher 2> /dev/null
}

kill_launch KILL
kill_launch TERM
check_golden SIGTERM "$(tail -n 1 "$scratch/killed.err")"

# A shell script that becomes the starter, and writes something.
printf '#!/bin/sh\necho "{ noise"\nexec "$@"\n' > "$scratch/script"
chmod +x "$scratch/script"
launch_script() {
    $mqdump --verbose "$@" --launch -- "$scratch/script" "$job_folder/job" \
        --ranks 2 --counters "$scratch/script.counters" abort \
        > "$scratch/out" 2> "$scratch/err"
}
launch_script --queues
check_equal "a script" "$(ranks_in "$scratch/out")" "$one_aborts"
check_contains "a script" "$(errors)" \
    "executes $PWD/$job_folder/job"
check_contains "what it writes" "$(cat "$scratch/out")" "{ noise"
launch_script --format csv
check_contains "csv" "$(head -n 1 "$scratch/out")" \
    "rank,call,communicator"
check_contains "csv: the job's output" "$(errors)" \
    "{ noise"

golden 'no such command' $mqdump --launch -- /nowhere/mpirun -np 4
golden 'a failing command' $mqdump --launch -- false
golden 'no job' $mqdump --after 1 --launch -- sleep 900
golden 'a short job' $mqdump --launch -- "$job_folder/job" --ranks 2 finish
golden 'no command' $mqdump --launch
golden 'no time' $mqdump --after 0 --launch -- true
tests_end
