# test_handles_live.sh - meaning of handles in a running job
# tier: live
#
# What handles stand for in a job that runs: a grid, a vector, an inactive
# persistent receive, a user's attribute and error handler.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

COLUMNS=80
export COLUMNS

requires gdb
start_job le64 2 handles

# The value of a variable of rank 0's.
value_of() {
    gdb -q -nx -batch -p "$job" -ex "printf \"\nvalue %ld\n\", (long)$1" \
        2> /dev/null | sed -n 's/^value //p'
}

grid=$(value_of grid)
plane=$(value_of plane)
inactive=$(value_of inactive)
posted=$(value_of posted)

# asks NAME KIND VALUE: what is said of a handle, but for addresses.
known KEYVAL "$(value_of keyval)"
without_addresses() { sed 's/0x[0-9a-f]*/ADDRESS/g'; }
asks() {
    check_golden "$1" "$("$mqdump" --handle "$2" "$3" --pid "$job" 2>&1 |
        without_addresses | sed "s/$2 $3/$2 VALUE/")"
}

asks grid comm "$grid"
asks vector datatype "$plane"
asks inactive request "$inactive"
asks posted request "$posted"
asks world comm 91
asks none comm 18446744073709551615

all=$("$mqdump" --handles --record "$scratch/kept" --job "$job" 2> /dev/null)
check_golden all "$(echo "$all" | sed -n '/^rank 0 in/,$p' |
    without_addresses | sed 's/handle [0-9]*/handle VALUE/')"
check_equal "all, recorded" \
    "$("$mqdump" --handles "$scratch/kept" 2> /dev/null |
        grep -v '^job: ')" "$(echo "$all" | grep -v '^job: ')"
# in_gdb COMMAND: what gdb's command says in the process.
in_gdb() {
    gdb -q -nx -batch -p "$job" -ex "source $BUILD/mqdump.py" -ex "$1" 2>&1
}

# asks_gdb NAME COMMAND
asks_gdb() {
    check_golden "gdb: $1" "$(in_gdb "mqdump handle $2" | without_addresses |
        grep '^  \|^mqdump: \|handle' | sed "s/$plane/VALUE/")"
}

asks_gdb grid grid
asks_gdb inactive inactive
asks_gdb datatype "datatype $plane"
asks_gdb keyval keyval
check_runs "handles"
stop_jobs

# A handle DLL that only the process names tells of its recording, too.
cp "$BUILD/libtvmpich.so" "$scratch/alone.so"
cp "$BUILD/libtvmpich_handles.so" "$scratch/named.so"
start_job le64 2 --handle-dll "$scratch/named.so" handles
for how in --pid --job; do
    check_contains "handle DLL, $how" \
        "$("$mqdump" --dll "$scratch/alone.so" --handle comm 91 $how "$job" \
            2>&1)" "MPI_TAG_UB: 1073741824"
done
stop_jobs

# What a call was given.
start_job le64 2 pending
check_golden "arguments" "$("$mqdump" --queues --job "$job" 2>&1 |
    grep '^  .* tag 7777, comm')"
stop_jobs
tests_end
