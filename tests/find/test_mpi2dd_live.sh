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

requires elfutils
program=$BUILD/job/le64/job-mpi2dd

# A job says why it called MPI2DD_breakpoint: at its start, then for an event,
# and when it aborts.
for number in 2 3 4 5 6 7; do
    "$mqdump" --verbose --queues --launch -- "$program" --event $number \
        --ranks 2 abort > "$scratch/out" 2> "$scratch/err"
    check_equal "event $number: exit status" $? 1
    check_equal "event $number: ranks" "$(ranks_in "$scratch/out")" \
        '0 MPI_Recv,1 MPI_Abort'
    check_golden "event $number" \
        "$(sed -n 's/.*MPI2DD_info.debug_state is //p' "$scratch/err")"
done

# Who comes later learns the last event, and what is out of reach; the ranks
# wait for each other, so that the exit status tells of that.
"$program" --event 6 --directory node1.example --ranks 2 --keep-sends 1 \
    --counters "$scratch/counters" pending &
job=$! jobs_started=$! counters=$scratch/counters ranks=2
wait_until job_is_ready
known STARTER "$job"
"$mqdump" --queues --no-write --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "directories elsewhere: status" $? 1
check_equal "directories elsewhere: ranks" "$(ranks_in "$scratch/out")" \
    '0 MPI_Recv,1 MPI_Recv'
check_golden "directories elsewhere" "$(errors)"
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
check_equal "two worlds: digest" $? 0
known FIRST "$job"
known SECOND "$spawned"
golden_lines "two worlds: origin" "world-$spawned was"
"$mqdump" "$scratch/two.mqdigest" > "$scratch/out" 2> "$scratch/err"
check_equal "two worlds: exit status" $? 1
check_golden "two worlds" \
    "$(sed '/^stacks/,$d; s/^proof: .*/proof: .../' "$scratch/out" |
        awk '!(/^  / && last ~ /^proof/) { print } !/^  / { last = $0 }')"
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
check_equal "two worlds: labels" "$(
    "$mqdump" --format svg "$scratch/two.mqdigest" |
    grep -c '<text[^>]*>[[]\?[01]:[0-2]')" 5
stop_jobs

# Who waits for nobody is not accused: at most nothing is known of who sleeps.
two_worlds idle_bridge
"$mqdump" --no-write --format json --job "$job" > "$scratch/out" \
    2> "$scratch/err"
case $?,$(verdict_in "$scratch/out") in
0,none | 2,unknown) pass ;;
*) fail "idle worlds" < "$scratch/out" ;;
esac
check_runs "idle worlds"
stop_jobs

# Of a world that has gone nothing is known: nobody is called healthy, and that
# the others wait for it is not certain.
two_worlds bridge
kill -KILL "$spawned"
for pid in $(echo "$members" | tr , ' '); do
    wait_until has_ended "$pid"
done
"$mqdump" --no-write --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "world gone: status" $? 1
known BRIDGE "$job"
check_golden "world gone" "$(sed -n 1p "$scratch/out")"
golden_lines "world gone: why" "$job, bridge:"
stop_jobs
tests_end
