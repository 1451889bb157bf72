# test_hanging.sh - hanging programs, live
# tier: live, long
#
# Programs that hang, each in its own way, as they run: the verdict, how sure it
# is, the cause and where in the source that is.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb python3

# look OPTION...: what is said of the processes $pids, in a line.
look() {
    $mqdump --format json "$@" --pid "$pids" > "$scratch/report" \
        2> "$scratch/err"
    status=$?
    answer=$(python3 tests/kit/answer.py tests/programs/mpi_job \
        < "$scratch/report")
}

# Whether the job hangs as it shall: some ranks may still be on their way.
answers() {
    look "$@"
    [ "$answer" = "$wanted" ]
}

# check_answer NAME WANTED STATUS OPTION...
check_answer() {
    name=$1 wanted=$2 wanted_status=$3
    shift 3
    for _ in 1 2 3 4 5 6 7 8; do
        ! answers "$@" || break
    done
    check_equal "$name" "$answer" "$wanted"
    check_equal "$name: exit status" "$status" "$wanted_status"
    check_equal "$name: schema" \
        "$(python3 tests/report/schema.py tests/report/report.schema.json \
           < "$scratch/report" 2>&1)" ''
}

# hangs RANKS PROGRAM STATUS WANTED: what the user vouches for.
hangs() {
    start_job le64 "$1" --keep-sends $keep "$2"
    pids=$(job_pids)
    check_answer "$2, sends kept: $keep" "$4" "$3" --looks 1 --still
    stop_jobs
}

# possible ANSWER: the same, less sure.
possible() {
    echo "$1" | sed 's/^deadlock/possible-deadlock/; s/certain/possible/'
}

# ---- Messages ----------------------------------------------------------------

keep=1
hangs 2 send_ring 1 'deadlock; certain waits: 0-1 in MPI_Send at send_ring'
hangs 2 bsend_detach 1 \
    'deadlock; certain waits: 0-1 in MPI_Buffer_detach at bsend_detach'
hangs 2 persistent_sends 1 \
    'deadlock; certain waits: 0-1 in MPI_Wait at persistent_sends'
hangs 2 sendrecv_ring 1 'deadlock; certain waits: 0-1 in MPI_Sendrecv at '\
'sendrecv_ring; near miss at rank 0; near miss at rank 1'
hangs 3 recv_ring 1 'deadlock; certain waits: 0-2 in MPI_Recv at receive'
for wrong in tag source communicator; do
    hangs 3 wrong_$wrong 1 \
        'deadlock; certain waits: 0-2 in MPI_Recv at receive; near miss at rank 0'
done
hangs 3 waitall_ring 1 \
    'deadlock; certain waits: 0-2 in MPI_Waitall at waitall_ring'
hangs 3 waitany_ring 1 \
    'deadlock; certain waits: 0-2 in MPI_Waitany at waitany_ring'
hangs 2 persistent_ring 1 \
    'deadlock; certain waits: 0-1 in MPI_Wait at persistent_ring'
for place in reversed_split between_halves; do
    hangs 4 $place 1 "deadlock; certain waits: 0-1 in MPI_Recv at $place; \
certain waits: 2-3 in MPI_Recv at $place"
done

# An MPI library that nobody debugs keeps no sends.
keep=0
hangs 2 ssend_ring 1 'deadlock; certain waits: 0-1 in MPI_Ssend at ssend_ring'
hangs 2 send_ring 1 'deadlock; certain waits: 0-1 in MPI_Send at send_ring'
hangs 2 probe_ring 1 'deadlock; certain waits: 0-1 in MPI_Probe at probe_ring'
hangs 2 bsend_detach 1 'possible-deadlock; possible waits: 0-1 in '\
'MPI_Buffer_detach at bsend_detach'
hangs 2 persistent_sends 1 \
    'possible-deadlock; possible waits: 0-1 in MPI_Wait at persistent_sends'

# ---- One for which all others wait -------------------------------------------

hangs 3 last_computes 0 \
    'held-up; certain runs: 2 at relax_for_ever, behind it 0-1'
hangs 3 last_pauses 0 'held-up; certain runs: 2 at last_pauses, behind it 0-1'
hangs 3 last_tests 2 \
    'unknown; certain polls: 2 in MPI_Test at last_tests, behind it 0-1'
hangs 3 last_finalizes 1 \
    'stuck; certain ending: 2 in MPI_Finalize at last_finalizes, behind it 0-1'

# The rank of a process that has ended is known from the job's table, if not
# from the user; the first process has not asked for its end yet.
start_job le64 3 last_exits
last=$(pgrep -P "$job" | tail -n 1)
wait_until has_ended "$last"
pids=$(job_pids)
all='stuck; certain gone: 2, behind it 0-1'
check_answer 'ended' "$all" 1 --looks 1 --still --ranks-are 0,1,2
look --looks 1 --still
check_equal 'ended, rank unknown' "$status,$answer" \
    '2,unknown; unknown not-read: 2, behind it 0-1'
check_golden 'ended, rank unknown' "$(grep -w "$last" "$scratch/err")"
$mqdump --still --job "$job" > "$scratch/out" 2> "$scratch/err"
check_golden 'ended, in table' "$(sed -n '/^proof/q; p' "$scratch/out")"
stop_jobs

# It ends when it is looked at again.
start_job le64 2 last_computes
pids=$(job_pids)
$mqdump -v --format json --looks 100 --settle 0.05 --still --pid "$pids" \
    > "$scratch/report" 2> "$scratch/err" &
looking=$!
wait_until grep -q 'stopped for' "$scratch/err"
kill -KILL "$(pgrep -P "$job")"
wait $looking
check_equal 'ends, looked at: status' $? 1
check_equal 'ends, looked at' \
    "$(python3 tests/kit/answer.py tests/programs/mpi_job \
        < "$scratch/report")" \
    'stuck; possible gone: 1, behind it 0'
stop_jobs

# A rank that nobody lets go from MPI_Init, and what opens its gate.
"$BUILD/job/le64/job" --ranks 2 --wait 1 recv_ring &
job=$! jobs_started=$!
has_rank() { pgrep -P "$job" > "$scratch/rank"; }
wait_until has_rank
pids=$(job_pids)
check_answer 'gate' \
    'held-up; certain starting: 1 in MPI_Init at main, behind it 0' 0 \
    --looks 1 --still
check_golden 'gate' "$(grep -o '[^"]*--open-gate[^"]*' "$scratch/report" |
    sort -u)"
$mqdump --open-gate --pid "$pids" > "$scratch/out" 2> "$scratch/err"
check_answer 'gate opened' \
    'deadlock; certain waits: 0-1 in MPI_Recv at receive' 1 --looks 1 --still
stop_jobs

start_job le64 16 recv_ring
pids=$job
check_answer 'one of 16' \
    'unknown; unknown not-read: 1-15, behind it 0' 2 --looks 1 --still
stop_jobs

# ---- Collective operations ---------------------------------------------------

hangs 3 last_barrier_missing 0 \
    'held-up; possible runs: 2 at relax_for_ever, behind it 0-1'
hangs 3 different_roots 1 'possible-deadlock; possible waits: 0,2 in MPI_Bcast '\
'at different_roots, behind it 1; possible mismatch: root'
hangs 3 barrier_and_finalize 1 'stuck; possible ending: 2 in MPI_Finalize at '\
'barrier_and_finalize, behind it 0-1; possible mismatch: ended'

keep=1
hangs 3 barrier_and_finalize 1 'stuck; certain ending: 2 in MPI_Finalize at '\
'barrier_and_finalize, behind it 0-1; certain mismatch: ended'
hangs 3 last_barrier_missing 0 \
    'held-up; certain runs: 2 at relax_for_ever, behind it 0-1'
hangs 3 different_operations 1 'deadlock; certain waits: 0,2, behind it 1; '\
'certain mismatch: operation'
hangs 3 different_roots 1 'deadlock; certain waits: 0,2 in MPI_Bcast at '\
'different_roots, behind it 1; certain mismatch: root'
hangs 3 different_orders 1 'deadlock; certain waits: 0-2 in MPI_Barrier at '\
'different_orders; certain mismatch: order'
hangs 3 barrier_and_recv 1 'deadlock; certain waits: 0,2, behind it 1'

# ---- Standing still ----------------------------------------------------------

# stands PROGRAM DEGREE: two ranks that nobody vouches for.  What is counted is
# certain, and what only looks equal is not.
stands() {
    start_job le64 2 "$1"
    pids=$(job_pids)
    look
    wanted=$2
    grep -q '"movement": "counted-still"' "$scratch/report" ||
        wanted=$(possible "$2")
    check_answer "$1, looked at" "$wanted" "$status"
    stop_jobs
}

stands recv_ring 'deadlock; certain waits: 0-1 in MPI_Recv at receive'
stands last_computes 'held-up; certain runs: 1 at relax_for_ever, behind it 0'

tests_end
