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

if ! reads_directly; then
    skip "launched jobs" "this build has no elfutils"
    tests_end
fi
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

# check_launched NAME RANKS SAID...: what the launch above has printed.  Ranks
# that wait for each other, or for one that aborts, are a finding.
check_launched() {
    check_equal "$1: exit status" "$(cat "$scratch/$1.status")" 1
    check_equal "$1: ranks" "$(ranks_in "$scratch/$1.out")" "$2"
    launched=$1
    shift 2
    for said; do
        check_contains "$launched" "$(cat "$scratch/$launched.err")" "$said"
    done
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

# says PROGRAM WORD...: how a program of that kind says what the words mean.
says() {
    program=$1
    shift
    case $program,$* in
    *-mpi2dd,spawned) echo 'MPI2DD_info.debug_state is 1: the job has started' \
        '(MPI2DD_DEBUG_START)' ;;
    *-mpi2dd,aborts) echo 'MPI2DD_info.debug_state is 8: the job is aborting' \
        '(MPI2DD_DEBUG_ABORT): MPI_Abort by rank 1 with code 3' ;;
    *,spawned) echo 'MPIR_debug_state is 1: the job has been spawned' \
        '(MPIR_DEBUG_SPAWNED)' ;;
    *,aborts) echo 'MPIR_debug_state is 2: the job is aborting' \
        '(MPIR_DEBUG_ABORTING): MPI_Abort by rank 1 with code 3' ;;
    *-partial,released) echo 'to release the starter would be enough' ;;
    *-premain,released) echo "the job's processes have not reached their" \
        'main yet (MPIR_acquired_pre_main)' ;;
    starter,released) echo 'rank 0, process' ;;
    *,released) echo ': marked as being debugged, and released' ;;
    esac
}

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
    check_launched "$program" "$all_receive" "$(says "$program" spawned)" \
        "$(says "$program" released)" "$told_debugged" \
        "the job runs"
done
for program in $aborting; do
    check_launched "$program.abort" "$one_aborts" "$(says "$program" aborts)"
done
for program in starter-partial job-partial; do
    check_contains "$program: ranks are told" \
        "$(cat "$scratch/$program.err")" ': marked as being debugged'
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
check_contains "SIGTERM" "$(cat "$scratch/killed.err")" \
    "mqdump: ended by signal 15"

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
check_contains "a report for programs" "$(head -n 1 "$scratch/out")" \
    "rank,call,communicator"
check_contains "what the job writes beside it" "$(errors)" \
    "{ noise"

fails 'no such command' "cannot execute '/nowhere/mpirun': No such file or" \
    --launch -- /nowhere/mpirun -np 4
fails 'a command that fails' "'false' ended with exit status 1 before it was" \
    --launch -- false
fails 'a command of no job' "'sleep' has started no processes that a debugger" \
    --after 1 --launch -- sleep 900
fails 'a job that finishes' "ended with exit status 0 before it was looked at" \
    --launch -- "$job_folder/job" --ranks 2 finish
fails 'no command' '--launch must be followed by COMMAND...' --launch
fails 'no time' '--after takes a positive number' --after 0 --launch -- true
tests_end
