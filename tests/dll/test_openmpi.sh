# test_openmpi.sh - queues through Open MPI's own packaged DLL
# tier: live
#
# Somebody else's DLL: the queues of a live Open MPI job, by Open MPI's own
# packaged DLL where that is named, with types from an object file.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

headers=$(mpicc --showme:incdirs 2> /dev/null | cut -d ' ' -f 1)
requires gdb mpirun.openmpi mpicc.openmpi

own=$(find /usr/lib -name libompi_dbg_msgq.so 2> /dev/null | head -n 1)
types=tests/programs/openmpi/types.c
# compile_types SOURCE OBJECT
compile_types() {
    gcc -g -c -o "$2" -I tests/programs/openmpi -I "$headers" \
        -I "$headers/openmpi" "$1" > "$scratch/said" 2>&1
}
if ! compile_types "$types" "$scratch/types.o"; then
    skip "the rest" "this lacks headers"
    tests_end
fi
program=$scratch/program
mpicc -o "$program" tests/programs/openmpi/job.c

start_mpi openmpi 2 --mca pml ob1 "$program" "$scratch/ready"
if ! wait_until [ -s "$scratch/ready.0" ] ||
    ! wait_until [ -s "$scratch/ready.1" ]
then
    fail "no job" < "$scratch/starter"
    tests_end
fi
first=$(cat "$scratch/ready.0")
second=$(cat "$scratch/ready.1")

$mqdump --raw --dll "$own" --pid "$first" > "$scratch/shown" 2> "$scratch/said"
check_equal "without types: exit status" $? 2
check_golden "without types" \
    "$(sed -n '/^mqdump/s/ (.*//p' "$scratch/said")"

# The last receive of each rank is posted a moment after the file was written.
shows_all() {
    $mqdump --raw --types "$scratch/types.o" --dll "$own" --ranks-are 0,1 \
        --pid "$first,$second" > "$scratch/shown" 2> "$scratch/said"
    [ "$(grep -c tag=99 "$scratch/shown")" -eq 2 ]
}
wait_until shows_all
hide_addresses < "$scratch/shown" | sed 's/ id=[^ ]*//' > "$scratch/hidden"
check_same "receives" "$scratch/hidden" \
    tests/data/golden/openmpi.raw

mkdir "$scratch/recording"
$mqdump --record "$scratch/recording" --types "$scratch/types.o" \
    --dll "$own" --ranks-are 0,1 --pid "$first,$second" \
    2>&1 | timeless > "$scratch/live"
check_contains "the call" "$(cat "$scratch/live")" "rank 1 in MPI_Recv:"
$mqdump --dll "$own" "$scratch"/recording/*.mqsnap > "$scratch/replay" 2>&1
check_same "replay" "$scratch/replay" "$scratch/live"
check_equal "they run" \
    "$(state_of "$first" | tr RS ..)$(state_of "$second" | tr RS ..)" ".."

# While a process waits for several requests, the DLL takes all for complete.
stop_mpis
mpicc -o "$scratch/hangs" tests/programs/hangs/hangs.c
start_mpi openmpi 2 --mca pml ob1 "$scratch/hangs" ring_waitall "$scratch/waits"
wait_for_all() { [ -s "$scratch/waits.0" ] && [ -s "$scratch/waits.1" ]; }
both_wait() {
    $mqdump --types "$scratch/types.o" --dll "$own" \
        --pid "$(cat "$scratch"/waits.? | paste -sd, -)" > "$scratch/shown" \
        2> "$scratch/said"
    [ "$(grep -c ' in MPI_Waitall: ' "$scratch/shown")" -eq 2 ]
}
wait_until wait_for_all || fail "no second job" < "$scratch/starter"
wait_until both_wait || fail "its calls" < "$scratch/shown"
check_equal "complete requests" \
    "$(grep -c '  complete$' "$scratch/shown")" 4
check_equal "not free" "$(grep -c 'Nothing is' "$scratch/shown")" 0

# Messages that go through UCX are on no queue that the MPI's own DLL reads.
stop_mpis
rm -f "$scratch"/waits.?
start_mpi openmpi 2 --mca pml ucx --mca pml_ucx_tls any \
    --mca pml_ucx_devices any "$scratch/hangs" ring_recv "$scratch/waits"
wait_or_end() { wait_for_all || has_ended "$starter"; }
wait_until wait_or_end
if wait_for_all; then
    $mqdump --pid "$(cat "$scratch"/waits.? | paste -sd, -)" \
        > "$scratch/shown" 2> "$scratch/said"
    check_golden "UCX" \
        "$(headline "$scratch/shown" | grep -o '^.* in MPI_Recv')"
    $mqdump --raw --pid "$(cat "$scratch"/waits.? | paste -sd, -)" \
        > "$scratch/raw" 2> "$scratch/said"
    check_equal "UCX: receives" \
        "$(grep -c '^receive status=pending .* tag=17 length=16 ' \
            "$scratch/raw")" 2
    check_equal "UCX: arrived" \
        "$(grep -c 'has arrived' "$scratch/shown")" 0
else
    skip "UCX" "no UCX"
fi

tests_end
