# test_mpi2dd_live.sh - the MPI-2 draft in jobs that run
# tier: live
#
# The MPI-2 draft in jobs that run: each event is told apart when it happens and
# afterwards; directories on other hosts are named with what reads them; worlds
# that were spawned are analysed together with the others.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if ! reads_directly; then
    skip "the MPI-2 draft in jobs that run" "this build has no elfutils"
    tests_end
fi
program=$BUILD/job/le64/job-mpi2dd

# What an event of that number is said to be.
event() {
    case $1 in
    1) echo "the job has started (MPI2DD_DEBUG_START)" ;;
    2) echo "processes were spawned (MPI2DD_DEBUG_SPAWN)" ;;
    3) echo "a connection was made (MPI2DD_DEBUG_CONNECT)" ;;
    4) echo "a connection was accepted (MPI2DD_DEBUG_ACCEPT)" ;;
    5) echo "two processes were joined (MPI2DD_DEBUG_JOIN)" ;;
    6) echo "a directory changed (MPI2DD_DEBUG_DIRECTORY_CHANGED)" ;;
    7) echo "a metadirectory changed (MPI2DD_DEBUG_METADIRECTORY_CHANGED)" ;;
    8) echo "the job is aborting (MPI2DD_DEBUG_ABORT): MPI_Abort by rank 1" \
        "with code 3" ;;
    esac
}

# A job says why it called MPI2DD_breakpoint: at its start, then for an event,
# and when it aborts.
for number in 2 3 4 5 6 7; do
    "$mqdump" --verbose --queues --launch -- "$program" --event $number \
        --ranks 2 abort > "$scratch/out" 2> "$scratch/err"
    check_equal "event $number: exit status" $? 1
    check_equal "event $number: ranks" "$(ranks_in "$scratch/out")" \
        '0 MPI_Recv,1 MPI_Abort'
    check_equal "event $number: what the job says" \
        "$(sed -n 's/.*MPI2DD_info.debug_state is //p' "$scratch/err")" \
        "$(for said in 1 $number 8; do echo "$said: $(event $said)"; done)"
done

# Who comes later learns the last event, and what is out of reach; the ranks
# wait for each other, so that the exit status tells of that.
"$program" --event 6 --directory node1.example --ranks 2 --keep-sends 1 \
    --counters "$scratch/counters" pending &
job=$! jobs_started=$! counters=$scratch/counters ranks=2
wait_until job_is_ready
"$mqdump" --queues --no-write --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "directories elsewhere: exit status" $? 1
check_equal "directories elsewhere: ranks" "$(ranks_in "$scratch/out")" \
    '0 MPI_Recv,1 MPI_Recv'
cat > "$scratch/wanted" << END
mqdump: the directory process 4711 on node1.example cannot be read: it is on \
another host; run there: mqdump --job 4711
mqdump: the directory process 4712 on node1.example cannot be read: it is on \
another host; run there: mqdump --job 4712
mqdump: process $job: MPI2DD_info.debug_state is 6: $(event 6)
END
check_same "directories elsewhere" "$scratch/err" "$scratch/wanted"
check_runs "directories elsewhere"

stop_jobs

# two_worlds SCENARIO: starts a world of 3 ranks, and one of 2 that says to have
# spawned it.  The starter of the second is $job, of the first $spawned.
two_worlds() {
    rm -f "$scratch/spawned" "$scratch/spawns"
    "$program" --remote 2 --ranks 3 --keep-sends 1 \
        --counters "$scratch/spawned" "$1" &
    job=$! jobs_started="$jobs_started $!" ranks=3 counters=$scratch/spawned
    wait_until job_is_ready
    spawned=$job members=$(job_pids)
    "$program" --spawned "$members" --remote 3 --ranks 2 --keep-sends 1 \
        --counters "$scratch/spawns" "$1" &
    job=$! jobs_started="$jobs_started $!" ranks=2 counters=$scratch/spawns
    wait_until job_is_ready
}

# An inter-communicator between the worlds, in which all wait for each other.
two_worlds bridge
"$mqdump" --verbose --no-write --digest "$scratch/two.mqdigest" \
    --job "$job" 2> "$scratch/err"
check_equal "two worlds: exit status of the digest" $? 0
check_contains "two worlds: where one is from" "$(errors)" \
    "world world-$spawned was spawned by rank 0 of world world-$job, as its \
spawn number 0"
"$mqdump" "$scratch/two.mqdigest" > "$scratch/out" 2> "$scratch/err"
check_equal "two worlds: exit status" $? 1
sed -n '/^Deadlock/,/^certain/{/^certain/!p;}; /^cause/,/^ /p; /^note/p; /^who/,/^stacks/{/^  /p;}' "$scratch/out" |
    tr '\n' ' ' | tr -s ' ' | sed "s/world-$job/first/; s/world-$spawned/second/
    s/ *$//; s/ \(cause\|note\|rank [0-9] of world [01] in\)/\n\1/g" \
    > "$scratch/told"
echo >> "$scratch/told"
site=programs.c:$(grep -n 'job_options.remote, 37' \
    tests/programs/mpi_job/programs.c | cut -d: -f1)
waits="in MPI_Recv at $site waits for"
operation="(receive of tag 37 on bridge) [stuck]"
cat > "$scratch/wanted" << END
Deadlock: ranks 0:0, 1:0 wait for each other in MPI_Recv, called by \
bridge at $site; rank 2 of world 1 waits behind them; 1 more
cause
cause (certain): ranks 0:1, 1:1 wait for each other in MPI_Recv, called by \
bridge at $site
note: world 0 is first, of 2 ranks
note: world 1 is second, of 3 ranks
rank 0 of world 0 $waits rank 0 of world 1 $operation
rank 1 of world 0 $waits rank 1 of world 1 $operation
rank 0 of world 1 $waits rank 0 of world 0 $operation
rank 1 of world 1 $waits rank 1 of world 0 $operation
rank 2 of world 1 $waits rank 0 of world 0 $operation
END
check_same "two worlds: who waits for whom" "$scratch/told" "$scratch/wanted"
"$mqdump" --format json "$scratch/two.mqdigest" > "$scratch/json"
for ranks in 1:1-2 3-4 0:7,1:1,4; do
    check_equal "two worlds: of them ranks $ranks" "$(
        "$mqdump" --format json --only-ranks "$ranks" "$scratch/two.mqdigest" |
        python3 -c 'import json, sys
print([one["rank"] for one in json.load(sys.stdin)["processes"]])')" '[3, 4]'
done
check_equal "two worlds: for programs" "$(python3 -c '
import json, sys
it = json.load(open(sys.argv[1]))
print([(w["first"], w["size"]) for w in it["worlds"]],
      [c["ranks"] for c in it["cause"]], [p["rank"] for p in it["processes"]])
' "$scratch/json")" '[(0, 2), (2, 3)] [[0, 2], [1, 3]] [0, 1, 2, 3, 4]'
for format in svg html csv; do
    "$mqdump" --format $format "$scratch/two.mqdigest" > "$scratch/it"
    check_equal "two worlds: $format" $? 1
done
check_equal "two worlds: the labels of a picture" "$(
    "$mqdump" --format svg "$scratch/two.mqdigest" |
    grep -c '<text[^>]*>[[]\?[01]:[0-2]')" 5
stop_jobs

# Who waits for nobody is not accused: at most nothing is known of who sleeps.
two_worlds idle_bridge
"$mqdump" --no-write --job "$job" > "$scratch/out" 2> "$scratch/err"
case $?,$(head -1 "$scratch/out") in
'0,Nothing is stuck: no rank waits for another') pass ;;
'2,Not known: ranks '*' stay'*) pass ;;
*) fail "two worlds that run" < "$scratch/out" ;;
esac
check_runs "two worlds that run"
stop_jobs

# Of a world that has gone nothing is known: nobody is called healthy, and that
# the others wait for it is not certain.
two_worlds bridge
kill -KILL "$spawned"
for pid in $(echo "$members" | tr , ' '); do
    wait_until has_ended "$pid"
done
"$mqdump" --no-write --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "a world that has gone: exit status" $? 1
check_contains "a world that has gone: the headline" \
    "$(head -n 1 "$scratch/out")" 'Perhaps stuck: '
check_contains "a world that has gone" "$(cat "$scratch/out")" \
    'ranks 1:0, 1:1, 1:2, which have ended'
check_contains "a world that has gone: why" "$(errors)" \
    'rank 0 of world 0, process '"$job"', bridge: the world of its ranks is unknown'
stop_jobs
tests_end
