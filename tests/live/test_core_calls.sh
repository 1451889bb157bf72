# test_core_calls.sh - calls of ranks in cores, where no queues can be read
# tier: live
#
# Ranks of an MPI without debug information, as core files and in a user's own
# gdb: their calls are told where their queues cannot be read, and which ranks
# they are is in their memory.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

lacks=
for need in gdb gcore; do
    have $need || lacks="there is no $need"
done
[ "$(uname -m)" = x86_64 ] || lacks="arguments are recovered on x86-64 only"
[ -n "$(mpis)" ] || lacks="there is no MPI"
if [ -n "$lacks" ]; then
    skip "calls in core files" "$lacks"
    tests_end
fi

is_ready() { [ -s "$scratch/$mpi.0" ] && [ -s "$scratch/$mpi.1" ]; }

# shows NAME SENTENCE: what it is about is told.
shows() {
    check_contains "$mpi: $1" "$(tr -s ' \n' '  ' < "$scratch/out")" "$2"
}

for mpi in $(mpis); do
    "mpicc.$mpi" -w -g -pthread -o "$scratch/hangs" tests/programs/hangs/hangs.c
    start_mpi "$mpi" 2 "$scratch/hangs" ring_recv "$scratch/$mpi"
    wait_until is_ready || fail "$mpi starts" < "$scratch/starter"
    first=$(cat "$scratch/$mpi.0") second=$(cat "$scratch/$mpi.1")
    in_recv() {
        $mqdump --looks 1 --pid "$first,$second" > "$scratch/out" 2>&1
        grep -q "ranks 0, 1 $each_other" "$scratch/out"
    }
    wait_until in_recv || fail "$mpi waits" < "$scratch/out"
    gcore -o "$scratch/core" "$first" "$second" > "$scratch/gcore" 2>&1

    $mqdump --core "$scratch/hangs" "$scratch/core.$first" \
        --core "$scratch/hangs" "$scratch/core.$second" \
        > "$scratch/out" 2> "$scratch/err"
    check_equal "$mpi: two core files: exit status" $? 1
    shows "two core files" "ranks 0, 1 $each_other in MPI_Recv"
    shows "the call in a core file" \
        "waits for rank 0 (receive of tag 17 on MPI_COMM_WORLD)"

    gdb -nx -batch -p "$second" -ex "source $BUILD/mqdump.py" -ex mqdump \
        > "$scratch/out" 2> "$scratch/err"
    shows "the call in gdb" \
        "rank 1 in MPI_Recv at hangs.c:"
    shows "its arguments" \
        "waits for rank 0 (receive of tag 17 on MPI_COMM_WORLD)"
    stop_mpis
done
tests_end
