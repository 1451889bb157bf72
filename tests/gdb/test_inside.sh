# test_inside.sh - the gdb command mqdump
# tier: live
#
# The command mqdump in a gdb that has processes or core files: it shows what
# mqdump shows of them, and leaves gdb where it was.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb elfutils

# in_gdb ARGUMENT...: what gdb writes goes to $scratch/gdb, and of that what
# mqdump --raw has to $scratch/command.
in_gdb() {
    gdb -nx -q -batch -ex "source $BUILD/mqdump.py" "$@" > "$scratch/gdb" 2>&1
    grep -E '^(comm|group|receive|unexpected|send|none|extra) ' \
        "$scratch/gdb" > "$scratch/command"
}

# says NAME PART: that gdb's output has it.
says() { check_contains "$1" "$(tr -s ' \n' ' ' < "$scratch/gdb")" "$2"; }

for shape in le64 le32; do
    if ! [ -x "$BUILD/job/$shape/job" ]; then
        skip "$shape" "no gcc-12-multilib"
        continue
    fi
    start_job $shape 2 --keep-sends 1 --thread 1 pending
    second=$(pgrep -P "$job")
    $mqdump --raw --pid "$job" > "$scratch/live"
    $mqdump --raw --pid "$job,$second" > "$scratch/both"
    check_contains "$shape: a queue" "$(cat "$scratch/live")" tag=7777

    in_gdb -p "$job" -ex "thread 2" -ex "mqdump --raw" -ex thread
    check_same "$shape: a process" "$scratch/command" "$scratch/live"
    check_contains "$shape: the thread stays" "$(tail -n 2 "$scratch/gdb")" \
        "Current thread is 2"

    in_gdb -p "$job" -ex add-inferior -ex "inferior 2" -ex "attach $second" \
        -ex "mqdump --all-inferiors --raw" -ex "info inferiors"
    check_same "$shape: all processes" "$scratch/command" "$scratch/both"
    check_contains "$shape: the inferior stays" \
        "$(grep '^\* 2 ' "$scratch/gdb")" "process $second"

    # Where it is, gdb's registers tell.
    in_gdb -p "$job" -ex "mqdump --queues"
    says "$shape: the call" "rank 0 in MPI_Recv"
    says "$shape: its arguments" "source 1, tag 7777, comm MPI_COMM_WORLD"

    gcore -o "$scratch/core" "$job" > "$scratch/gcore" 2>&1
    check_runs "$shape"
    in_gdb "$BUILD/job/$shape/job" "$scratch/core.$job" -ex "mqdump --raw"
    check_same "$shape: a core file" "$scratch/command" "$scratch/live"
    in_gdb "$BUILD/job/$shape/job" "$scratch/core.$job" -ex add-inferior \
        -ex "inferior 2" -ex "attach $second" \
        -ex "mqdump --all-inferiors --raw"
    check_same "$shape: both" "$scratch/command" \
        "$scratch/both"
    stop_jobs
done

# A program that gdb has started itself, at a breakpoint.
in_gdb -ex "break MPI_Recv" -ex "run > $scratch/run" -ex "mqdump --queues" \
    -ex kill --args "$BUILD/job/le64/job" --ranks 1 \
    --counters "$scratch/counters.run" pending
says "started by gdb" "rank 0 in MPI_Recv"

# ---- What cannot be read ---------------------------------------------------

in_gdb -ex mqdump
said() { grep '^mqdump: ' "$scratch/gdb"; }
check_golden "no process" "$(said)"
start_job le64 1 pending
gcore -o "$scratch/core" "$job" > "$scratch/gcore" 2>&1
in_gdb -c "$scratch/core.$job" -ex mqdump
check_golden "no program" "$(said)"
in_gdb -p "$job" -ex "mqdump --no-such-option"
check_golden "a wrong option" "$(said)"
if have gdbserver; then
    gdbserver --once --attach localhost:0 "$job" 2> "$scratch/server" &
    server=$!
    wait_until grep -q 'port [0-9]' "$scratch/server"
    in_gdb -ex "target remote localhost:$(sed -n 's/.*port //p' \
        "$scratch/server")" -ex mqdump
    check_golden "gdbserver" "$(said)"
    wait $server
else
    skip "gdbserver" "no gdbserver"
fi
stop_jobs

tests_end
