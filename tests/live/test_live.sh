# test_live.sh - running jobs of four shapes are shown, recorded, replayed
# tier: live
#
# Running jobs of four shapes: what is shown, recorded and replayed, and that
# they go on.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if ! have gdb; then
    skip "running jobs" "there is no gdb"
    tests_end
fi

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
    $mqdump --queues --record "$scratch/recording" "$@" > "$scratch/live" 2>&1
    status=$?
    check_contains "$name: exit status of what is shown" "$expected" $status
    $mqdump --queues "$scratch"/recording/*.mqsnap > "$scratch/replay" 2>&1
    check_equal "$name: the same exit status" $? $status
    check_same "$name: replay of the table" "$scratch/replay" "$scratch/live"
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
        skip "a job on $shape" "gcc cannot compile for it (gcc-12-multilib)"
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
        sed -i '/"activity": \|"system_call": \|"since": \|"processor_percent": /d' "$scratch/live" \
            "$scratch/replay.$format"
        check_same "$shape: $format replay" "$scratch/replay.$format" \
            "$scratch/live"
    done
    check_runs $shape
    stop_jobs
done

# ---- Emulated processes ---------------------------------------------------

# Their stub holds them at the start, and lets nobody in but once.  Of four
# ranks one is given, and what it waits for is not known.
# check_emulated SHAPE EMULATOR PORT
check_emulated() {
    if ! [ -x "$BUILD/job/$1/job" ] || ! have "$2" || ! have gdb-multiarch
    then
        skip "a job on $1" \
            "there is no cross compiler for it, no $2 or no gdb-multiarch"
        return
    fi
    counters=$scratch/counters.$1 ranks=4
    "$2" -g "$3" "$BUILD/job/$1/job" --ranks 4 --keep-sends 1 \
        --counters "$counters" pending &
    job=$!
    jobs_started="$jobs_started $job"
    wait_until is_listening "$3"
    check_replay "$1" 2 --gdb gdb-multiarch --until job_ticks \
        --remote "127.0.0.1:$3" "$BUILD/job/$1/job"
    $mqdump --raw "$scratch/recording/rank-00000.mqsnap" > "$scratch/raw"
    check_rank "$1" 0 "$scratch/raw"
    wait_until job_is_ready
    check_runs "$1"
    stop_jobs
}

# Whether somebody on this host listens at port $1.
is_listening() {
    grep -qi ":$(printf %04x "$1") 00000000:0000 0A" /proc/net/tcp
}

port=$((15000 + $$ % 4990))       # other tests take others
check_emulated be32 qemu-ppc-static $port
check_emulated be64 qemu-s390x-static $((port + 1))

# ---- The other ways to a process ------------------------------------------

start_job le64 2 --keep-sends 1 pending
$mqdump --raw --pid "$job" > "$scratch/live"

gdb -nx -q -batch -p "$job" -ex "source $BUILD/mqdump.py" -ex "thread 1" \
    -ex "mqdump --raw" > "$scratch/gdb" 2> "$scratch/gdb.err"
grep -E '^(comm|group|receive|unexpected|send|none|extra) ' "$scratch/gdb" \
    > "$scratch/command"
check_same "the command in gdb" "$scratch/command" "$scratch/live"

second=$(pgrep -P "$job")
$mqdump --raw --pid "$job,$second" > "$scratch/both"
gdb -nx -q -batch -p "$job" -ex "source $BUILD/mqdump.py" -ex add-inferior \
    -ex "inferior 2" -ex "attach $second" -ex "mqdump --all-inferiors --raw" \
    > "$scratch/gdb" 2> "$scratch/gdb.err"
grep -E '^(comm|group|receive|unexpected|send|none|extra) ' "$scratch/gdb" \
    > "$scratch/command"
check_same "the command in gdb, all inferiors" "$scratch/command" \
    "$scratch/both"

if have gdbserver; then
    gdbserver --once --attach "127.0.0.1:$((port + 2))" "$job" \
        > "$scratch/server" 2>&1 &
    server=$!
    wait_until is_listening $((port + 2))
    $mqdump --raw --remote "127.0.0.1:$((port + 2))" "$BUILD/job/le64/job" \
        > "$scratch/remote"
    check_same "a process behind gdbserver" "$scratch/remote" "$scratch/live"
    wait $server
else
    skip "a process behind gdbserver" "there is no gdbserver"
fi

gcore -o "$scratch/core" "$job" > "$scratch/gcore" 2>&1
check_runs "after all of that"
stop_jobs
$mqdump --raw --core "$BUILD/job/le64/job" "$scratch/core.$job" \
    > "$scratch/dead"
check_same "a core file" "$scratch/dead" "$scratch/live"

# ---- What it costs ---------------------------------------------------------

start_job le64 1 --keep-sends 1 --operations 10000 compute
$mqdump --gdb gdb --looks 1 --stats --raw --pid "$job" > "$scratch/raw" \
    2> "$scratch/stats"
operations=$(grep -cE '^(receive|unexpected|send) ' "$scratch/raw")
requests=$(sed -n 's/.*: \([0-9]*\) requests to gdb.*/\1/p' "$scratch/stats")
check_equal "10,000 operations are shown" $((operations >= 10000)) 1
check_equal "$requests requests to gdb for $operations operations are few" \
    $((requests > 0 && requests * 1000 / operations <= 100)) 1
check_contains "a process that computes" "$($mqdump --queues --pid "$job")" \
    "rank 0 in no MPI call"
check_runs "a large job"

tests_end
