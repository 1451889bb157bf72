# The MPI-2 draft in jobs that run: each event is told apart when it happens and
# afterwards; directories on other hosts, and worlds that were spawned, are
# named with what reads them.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh
. tests/live.sh

if ! have gdb; then
    skip "the MPI-2 draft in jobs that run" "there is no gdb"
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

# A world that was spawned: its ranks count from 0 again, so that the report is
# of one world, and names what shows the other.
first=$job
"$program" --spawned "$(job_pids)" --ranks 3 --keep-sends 1 \
    --counters "$scratch/counters2" pending &
job=$! jobs_started="$jobs_started $!" counters=$scratch/counters2 ranks=3
wait_until job_is_ready
"$mqdump" --queues --no-write --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "a spawned world: ranks of the other" "$(ranks_in "$scratch/out")" \
    '0 MPI_Recv,1 MPI_Recv,2 MPI_Recv'
spawned=$(pgrep -P "$first")
cat > "$scratch/wanted" << END
mqdump: world world-$first was spawned by rank 0 of world world-$job, as its \
spawn number 0
mqdump: rank 0 of world world-$first is on $(uname -n): $program, pid $first
mqdump: rank 1 of world world-$first is on $(uname -n): $program, pid $spawned
mqdump: run on $(uname -n): mqdump --pid $first,$spawned --ranks-are 0,1
END
check_same "a spawned world" "$scratch/err" "$scratch/wanted"
"$mqdump" --queues --no-write --pid "$first,$spawned" --ranks-are 0,1 \
    > "$scratch/out" 2> "$scratch/err"
check_equal "a spawned world: its own ranks" "$(ranks_in "$scratch/out")" \
    '0 MPI_Recv,1 MPI_Recv'
stop_jobs
tests_end
