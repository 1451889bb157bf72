# test_core_calls.sh - calls from core files without queues
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

requires gdb gcore x86-64 mpi

is_ready() { [ -s "$scratch/$mpi.0" ] && [ -s "$scratch/$mpi.1" ]; }

# shows NAME: how the ranks wait, by their arguments.
shows() {
    check_golden "$mpi: $1" "$(sed -n '/^who waits/,/^[^ w]/p' "$scratch/out" |
        grep -v '^stacks')"
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
    check_equal "$mpi: core files" $? 1
    check_golden "$mpi: core files" "$(headline)"
    shows "core files: waits"

    gdb -nx -batch -p "$second" -ex "source $BUILD/mqdump.py" -ex mqdump \
        > "$scratch/out" 2> "$scratch/err"
    shows "gdb"
    stop_mpis
done
tests_end
