# test_job_watch.sh - watching a hanging and a healthy job
# tier: live
#
# Jobs that are watched: one that hangs after a while, one that does not, on a
# terminal and elsewhere; and the scripts of the manual.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires elfutils

# begin_watch ARGUMENT...: watches in the background, until the ranks are known.
begin_watch() {
    $mqdump "$@" > "$scratch/out" 2> "$scratch/err" &
    watcher=$!
    wait_until has_said 'watching' ||
        fail "no watch" < "$scratch/err"
}

has_said() { grep -qs -e "$1" "$scratch/err"; }

# ---- One that hangs after a while -------------------------------------------

start_job le64 2 until-told
begin_watch --watch 0.2 --until-stuck --pid "$(job_pids)" \
    --on-stuck "cat > '$scratch/alarm'; echo '\$0' >> '$scratch/alarm'"
check_equal "it runs" "$(grep -c 'is hung' \
    "$scratch/err")" 0
kill -USR1 "$job"
wait "$watcher"
check_equal "hangs: status" $? 1
# said: what is said of the watch, but for times.
said() { errors | sed 's/stopped for .*/stopped for/'; }
check_golden "hangs" "$(said | grep 'is hung\|has ended')"
report=$(head -n 1 "$scratch/out")
check_golden "hangs: report" "$report"
check_equal "hangs: alarm" "$(head -n 1 "$scratch/alarm")" "$report"
check_equal "hangs: user's command" "$(tail -n 1 "$scratch/alarm")" "\$0"
timeout 300 $mqdump --watch 0.2 --until-stuck --pid "$(job_pids)" \
    --format json --on-stuck "cat > '$scratch/alarm'" > "$scratch/out" \
    2> "$scratch/err"
check_equal "alarm in JSON" "$(sed -n 's/^  "verdict": //p' "$scratch/alarm")" \
    '"deadlock",'
for pid in $(job_pids | tr , ' '); do
    check_equal "nobody traces $pid" \
        "$(awk '/^TracerPid/ { print $2 }' "/proc/$pid/status")" 0
done

# ---- On a terminal ----------------------------------------------------------

if have script; then
    TERM=xterm COLUMNS=100 script -qec "$mqdump --watch 0.2 --until-stuck \
        --job $job" "$scratch/typed" > "$scratch/page" < /dev/null
    check_equal "on a terminal: status" $? 1
    escape=$(printf '\033')
    check_contains "another page" "$(head -c 60 "$scratch/page")" \
        "$escape[?1049h"
    sed "1,/$escape\[?1049l/d" "$scratch/page" > "$scratch/after"
    check_golden "page: report" "$(grep -m 1 '^who' "$scratch/after")"
    check_contains "page" "$(cat "$scratch/page")" ": ranks 0, 1"

    # A signal ends it, and gives the terminal back.
    rm "$scratch/page"
    TERM=xterm script -qec "exec $mqdump --watch 60 --job $job" \
        "$scratch/typed" > "$scratch/page" < /dev/null &
    typist=$!
    shows() { grep -qs "As read at" "$scratch/page"; }
    wait_until shows || fail "no page" < "$scratch/page"
    told=$(pgrep -P "$typist")
    kill -TERM "$told"
    if ! ends_within 300 "$typist"; then
        fail "a signal to '$told' ends the watch" < "$scratch/page"
        kill -KILL "$told" "$typist"
    fi
    wait "$typist"
    check_contains "page: restored" \
        "$(tail -c 200 "$scratch/page")" "$escape[?1049l"
else
    skip "a terminal" "no script"
fi
stop_jobs

# ---- One that does not hang ---------------------------------------------------

start_job le64 2 circle
begin_watch --watch 0.1 --until-stuck --pid "$(job_pids)"
check_runs "watched"
if have script; then
    rm -f "$scratch/page"
    TERM=xterm COLUMNS=100 script -qfec "exec $mqdump --watch 0.2 --job $job" \
        "$scratch/typed" > "$scratch/page" < /dev/null &
    typist=$!
    shows() { grep -qs "moved since" "$scratch/page"; }
    if wait_until shows; then
        pass
    else
        fail "no page" < "$scratch/page"
    fi
    # Behind the line that ranks have moved no verdict stands on a page.
    check_equal "no old verdict" "$(tr '\r' ' ' \
        < "$scratch/page" | awk '/moved since/ { told = 1 }
            /mqdump at / { told = 0 }
            told && /Nothing is stuck|As read at/' | wc -l)" 0
    # shellcheck disable=SC2046 # these are several words
    kill -TERM $(pgrep -P "$typist")
    ends_within 300 "$typist"
    wait "$typist"
fi
stop_jobs
wait "$watcher"
check_equal "does not hang: status" $? 0
check_golden "does not hang" "$(said | grep 'is hung\|has ended')"
check_equal "does not hang: report" "$(cat "$scratch/out")" ""

# ---- Launched -----------------------------------------------------------------

$mqdump --watch 0.2 --until-stuck --launch -- "$BUILD/job/le64/starter" \
    --program "$BUILD/job/le64/job" --ranks 2 \
    --counters "$scratch/launched" deadlock \
    > "$scratch/out" 2> "$scratch/err" < /dev/null
check_equal "launched: status" $? 1
check_golden "launched" "$(head -n 1 "$scratch/out")"

for program in true false; do
    golden "launched $program" \
        $mqdump --watch 0.2 --until-stuck --launch -- $program < /dev/null
done

job_is_gone() { ! pgrep -f "$scratch/launched" > /dev/null; }
wait_until job_is_gone || fail "it remains" < /dev/null

# ---- The machine's own MPIs, as they are ----------------------------------------

# Of whose queues nothing is known: one look at their calls tells too little.
is_ready() { [ -s "$scratch/ready.0" ] && [ -s "$scratch/ready.1" ]; }
for mpi in $(mpis); do
    "mpicc.$mpi" -w -g -O1 -o "$scratch/hangs" tests/programs/hangs/hangs.c \
        -pthread
    rm -f "$scratch"/ready.*
    start_mpi "$mpi" 2 "$scratch/hangs" ring_recv "$scratch/ready"
    wait_until is_ready || fail "$mpi starts" < "$scratch/starter"
    begin_watch --watch 0.2 --until-stuck --job "$starter"
    if ! ends_within 300 "$watcher"; then
        fail "$mpi: hangs" < "$scratch/err"
        kill "$watcher"
    fi
    wait "$watcher"
    check_equal "$mpi: status" $? 1
    check_golden "$mpi" "$(headline | grep -o '^.* in MPI_Recv')"
    stop_mpis
done

# ---- What cannot be watched -----------------------------------------------------

golden "a recording" $mqdump --watch "$scratch"
golden "nobody" $mqdump --watch 1 --pid 4194300
golden "no number" $mqdump --watch 0 --pid 1

# ---- The manual's scripts -------------------------------------------------------

# Each as it stands there, but for the time between two looks, and with programs
# in the place of the site's.
mkdir "$scratch/bin"
PATH=$scratch/bin:$(realpath "$BUILD"):$PATH
cat > "$scratch/bin/mpirun" << END
#!/bin/sh
exec "$(realpath "$BUILD")/job/le64/job" --ranks 2 \
    --counters "$scratch/counters.batch" \$SCENARIO
END
chmod +x "$scratch"/bin/*
sed -n '/^mpirun .*&$/,/^wait /p' doc/mqdump-cluster.7 |
    sed "s/--watch 60/--watch 0.2/; s|^mpirun.*|& echo \$! > \
$scratch/counters.batch.pid|" > "$scratch/batch"
check_equal "lines" "$(wc -l < "$scratch/batch")" 4

SCENARIO=deadlock sh "$scratch/batch" > "$scratch/log" 2>&1
check_equal "script: status of a job that hangs" $? 1
check_golden "script: log" "$(grep '^Deadlock' "$scratch/log")"
kill -KILL "$(cat "$scratch/counters.batch.pid")"
SCENARIO=finish sh "$scratch/batch" > "$scratch/log" 2>&1
check_equal "script: status of one that ends" $? 0

tests_end
