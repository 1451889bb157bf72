# test_dll_foreign.sh - a library that only has the name of a DLL is not run
# tier: live
#
# A library that only has the name of a DLL is not run, and what a core file
# names is nobody's word.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

export TRACE="$scratch/trace"
"$BUILD/tests/kit/scenario" le64 > "$scratch/job.mqsnap"

library=$BUILD/tests/dlls/side_effect.so
$mqdump --dll "$library" "$scratch/job.mqsnap" > "$scratch/out" \
    2> "$scratch/err"
check_equal "a library without the interface: exit status" $? 2
check_contains "a library without the interface" "$(errors)" \
    "it lacks the entry point mqs_setup_basic_callbacks, so it is no"
check_equal "it is not run" "$(ls "$TRACE" 2> "$scratch/err")" ""

# The same named by a process, and by its core file, where it is safe to load.
if ! have gdb; then
    skip "named by a core file" "there is no gdb"
    tests_end
fi
named=$(readlink -f "$library")
start_job le64 1 --dll "$named" pending
gcore -o "$scratch/core" "$job" > "$scratch/gcore" 2>&1
$mqdump --verbose --core "$BUILD/job/le64/job" "$scratch/core.$job" \
    > "$scratch/out" 2> "$scratch/err"
check_contains "a name in a core file" "$(errors)" \
    "a name that is not in a running process is never loaded"
# The same in a user's gdb: one process that it holds, one core file.
in_gdb() {
    gdb -nx -q -batch -ex "source $BUILD/mqdump.py" "$@" > "$scratch/out" 2>&1
}
in_gdb "$BUILD/job/le64/job" "$scratch/core.$job" -ex "mqdump --verbose"
check_contains "a name in gdb's core file" "$(cat "$scratch/out")" \
    "a name that is not in a running process is never loaded"
check_contains "a core file in gdb is shown all the same" \
    "$(cat "$scratch/out")" "rank 0 in MPI_Recv"
in_gdb -p "$job" -ex "mqdump --verbose"
check_contains "a name in gdb's process is looked at" "$(cat "$scratch/out")" \
    "MPIR_dll_name names $named, which is"
in_gdb -p "$job" -ex add-inferior -ex "inferior 2" \
    -ex "file $BUILD/job/le64/job" -ex "core-file $scratch/core.$job" \
    -ex "mqdump --verbose"
check_contains "one of each in gdb" "$(cat "$scratch/out")" \
    "a name that is not in a running process is never loaded"
check_equal "none is run" "$(ls "$TRACE" 2> "$scratch/err")" ""

$mqdump --verbose --pid "$job" > "$scratch/out" 2> "$scratch/err"
check_contains "a name in a process is looked at" "$(errors)" \
    "MPIR_dll_name names $named, which is"
check_equal "and not run" "$(ls "$TRACE" 2> "$scratch/err")" ""
stop_jobs

tests_end
