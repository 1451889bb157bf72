# test_live.sh - live jobs: report, recording and replay
# tier: live
#
# Running jobs of two shapes: what is shown, recorded and replayed, and that
# they go on.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb

# check_rank NAME RANK FILE: whether the raw output in FILE is right.
check_rank() {
    hide_addresses < "$3" > "$scratch/hidden"
    check_same "$1: rank $2" "$scratch/hidden" "tests/data/golden/job.$2.raw"
}

# check_replay NAME STATUS ARGUMENT...: that it ends with one of the statuses,
# and that a recording shows the same as the process.
check_replay() {
    name=$1 expected=$2
    shift 2
    rm -rf "$scratch/recording"
    $mqdump --queues --record "$scratch/recording" "$@" > "$scratch/out"
    status=$?
    timeless < "$scratch/out" > "$scratch/live"
    check_contains "$name: status" "$expected" $status
    $mqdump --queues "$scratch"/recording/*.mqsnap > "$scratch/replay"
    check_equal "$name: replayed status" $? $status
    check_same "$name: replayed table" "$scratch/replay" "$scratch/live"
    for format in json csv; do
        $mqdump --format $format "$scratch"/recording/*.mqsnap \
            > "$scratch/replay.$format"
    done
    check_contains "$name: the call" "$(cat "$scratch/live")" \
        "rank 0 in MPI_Recv"
}

# ---- Processes of this host ----------------------------------------------

for shape in le64 le32; do
    if ! [ -x "$BUILD/job/$shape/job" ]; then
        skip "$shape" "no gcc-12-multilib"
        continue
    fi
    start_job $shape 4 --keep-sends 1 --thread 1 pending
    check_replay $shape "0 1" --pid "$(job_pids)"
    for rank in 0 1 2 3; do
        $mqdump --raw "$scratch/recording/rank-0000$rank.mqsnap" \
            > "$scratch/raw"
        check_rank $shape $rank "$scratch/raw"
    done
    $mqdump --raw -j 4 --pid "$(job_pids)" > "$scratch/raw"
    $mqdump --raw "$scratch"/recording/*.mqsnap > "$scratch/replay"
    check_same "$shape: raw replay" "$scratch/replay" "$scratch/raw"
    for format in json csv; do
        $mqdump --format $format --pid "$(job_pids)" > "$scratch/live"
        # What each saw a process do, and since when, is its own.
        sed -i '/"host": \|"time": \|"activity": \|"system_call": \|"since": \|"processor_percent": /d' "$scratch/live" \
            "$scratch/replay.$format"
        check_same "$shape: $format replay" "$scratch/replay.$format" \
            "$scratch/live"
    done
    check_runs $shape
    stop_jobs
done

# ---- Core files ------------------------------------------------------------

start_job le64 2 --keep-sends 1 pending
$mqdump --raw --pid "$job" > "$scratch/live"
gcore -o "$scratch/core" "$job" > "$scratch/gcore" 2>&1
check_runs "a core file"
stop_jobs
$mqdump --raw --core "$BUILD/job/le64/job" "$scratch/core.$job" \
    > "$scratch/dead"
check_same "a core file" "$scratch/dead" "$scratch/live"

# ---- Many operations -------------------------------------------------------

start_job le64 1 --keep-sends 1 --operations 10000 compute
$mqdump --looks 1 --raw --pid "$job" > "$scratch/raw"
operations=$(grep -cE '^(receive|unexpected|send) ' "$scratch/raw")
check_equal "10,000 operations are shown" $((operations >= 10000)) 1
check_golden computes "$($mqdump --queues --pid "$job" | grep '^rank 0 ')"
check_runs "a large job"

tests_end
