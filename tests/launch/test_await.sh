# test_await.sh - --until: waiting for a launcher started elsewhere
# tier: live
#
# Jobs that somebody else starts, and that mqdump waits for: they are told of
# the debugger, released, shown, and run on as if nobody had been there.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb
job_folder=$BUILD/job/le64

# begin PROGRAM MQDUMP_ARGUMENT...: a job that does not start yet, and an mqdump
# that waits for it.  Sets job, counters and reader.
begin() {
    hold=$scratch/hold
    counters=$scratch/counters.$(date +%s%N) ranks=3
    touch "$hold"
    rm -f "$scratch/err"
    "$job_folder/$1" --program "$job_folder/job${1#starter}" --hold "$hold" \
        --ranks 3 --counters "$counters" pending &
    job=$!
    jobs_started="$jobs_started $job"
    shift
    # Shells start what runs in the background with SIGINT ignored.
    env --default-signal=INT "$mqdump" --verbose --queues "$@" \
        --until MPIR_Breakpoint --job "$job" > "$scratch/out" 2> "$scratch/err" &
    reader=$!
}

# let_go FILE: takes away what waiters look for, as often as one makes it, until
# mqdump has ended.
let_go() {
    while ! has_ended "$reader"; do
        rm -f "$1"
        sleep 0.05
    done
}

is_told() { grep -qs "$told_debugged" "$scratch/err"; }

# await PROGRAM: waits for a job of that kind; for how long it takes then to
# reach what it hangs in, the machine says.
await() {
    for seconds in 1 8 64 512; do
        stop_jobs
        begin "$1" --after $seconds
        wait_until is_told || fail "$1: no mark" < "$scratch/err"
        rm "$hold"
        wait "$reader"
        status=$?
        [ "$(ranks_in "$scratch/out")" != "$all_receive" ] || break
    done
}

# marks: MPIR_being_debugged of each process of the job.
marks() {
    for process in $job $(pgrep -P "$job"); do
        gdb -nx -batch -p "$process" \
            -ex 'printf "mark %d\n", MPIR_being_debugged' 2> /dev/null |
            sed -n 's/^mark //p'
    done | tr -d '\n'
}

all_receive='0 MPI_Recv,1 MPI_Recv,2 MPI_Recv'
for program in job starter starter-partial; do
    await $program
    check_equal "$program: exit status" "$status" 1
    check_equal "$program: ranks" "$(ranks_in "$scratch/out")" "$all_receive"
    check_contains "$program: sends are remembered" "$(cat "$scratch/out")" \
        '    send  '
    check_contains "$program: it starts" "$(errors)" 'the job runs'
    check_equal "$program: marks" "$(marks | tr -d 0)" ""
    check_runs "$program"
done
stop_jobs

# One that runs already is shown like any other.
start_job le64 2 --keep-sends 1 pending
known RUNNING "$job"
"$mqdump" --verbose --until MPIR_Breakpoint --after 1 --job "$job" \
    > "$scratch/out" 2> "$scratch/err"
check_equal "running: status" $? 1
golden_lines running "$job.* already"
stop_jobs

golden "--until main" $mqdump --until main --job 1

# An interruption while it waits leaves nobody stopped.
begin job
known STARTING "$job"
wait_until is_told || fail "no mark" < "$scratch/err"
kill -INT "$reader"
wait "$reader"
check_equal "interrupted: status" $? 2
case $(errors) in
*'mqdump: interrupted'*) ;;             # it was told, and did not wait yet
*) golden_lines interrupted "$job.* no ranks" ;;
esac
rm "$hold"
if wait_until job_is_ready; then
    pass
else
    fail "interrupted: no job" < "$scratch/err"
fi
check_equal "interrupted: marks" "$(marks)" 000
stop_jobs

# check_ended NAME: that SIGTERM has ended mqdump, and nothing is left of it.
check_ended() {
    wait "$reader" 2> /dev/null
    check_equal "$1: exit status" $? 143
    check_equal "$1: marks" "$(marks)" 000
    check_runs "$1"
    stop_jobs
}

# One while the ranks run, for as long as the user wants.
begin job --after 1000
wait_until is_told || fail "no mark" < "$scratch/err"
rm "$hold"
wait_until job_is_ready || fail "no job" < "$scratch/err"
kill -TERM "$reader"
check_ended "SIGTERM, running"

# One while they are read.
export WAITS="$scratch/waits"
begin job --after 1 --dll "$BUILD/tests/dlls/waits.so"
wait_until is_told || fail "no mark" < "$scratch/err"
rm "$hold"
wait_until [ -e "$WAITS" ] || fail "no rank" < "$scratch/err"
kill -TERM "$reader"
let_go "$WAITS"
check_ended "SIGTERM, reading"

# One while ranks are released waits until they all are.
is_releasing() { grep -qs 'debugged, and released$' "$scratch/err"; }
begin starter
wait_until is_told || fail "no mark" < "$scratch/err"
rm "$hold"
wait_until is_releasing || fail "no rank" < "$scratch/err"
kill -INT "$reader"
wait "$reader"
check_equal "SIGINT, releasing" \
    "$(grep -c 'debugged, and released$' "$scratch/err")" 3
if wait_until job_is_ready; then
    pass
else
    fail "SIGINT, releasing: one waits" < "$scratch/err"
fi
check_runs "SIGINT, releasing"
stop_jobs

tests_end
