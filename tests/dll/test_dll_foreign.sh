# test_dll_foreign.sh - libraries without the interface are not loaded
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
golden "no interface" $mqdump --dll "$library" "$scratch/job.mqsnap"
check_equal "no interface: not run" "$(ls "$TRACE" 2> "$scratch/err")" ""

# The same named by a process, and by its core file, where it is safe to load.
requires gdb
named=$(readlink -f "$library")
start_job le64 1 --dll "$named" pending
gcore -o "$scratch/core" "$job" > "$scratch/gcore" 2>&1
$mqdump --verbose --core "$BUILD/job/le64/job" "$scratch/core.$job" \
    > "$scratch/out" 2> "$scratch/err"
# names FILE: what is said of the name that the process has for its DLL.
names() { grep '^mqdump: .*MPIR_dll_name names' "$1" | sort -u; }
check_golden "core file" "$(names "$scratch/err")"
# The same in a user's gdb: one process that it holds, one core file.
in_gdb() {
    gdb -nx -q -batch -ex "source $BUILD/mqdump.py" "$@" > "$scratch/out" 2>&1
}
in_gdb "$BUILD/job/le64/job" "$scratch/core.$job" -ex "mqdump --verbose"
check_golden "gdb, core file" "$(names "$scratch/out")"
check_contains "gdb, core file: shown" "$(cat "$scratch/out")" \
    "rank 0 in MPI_Recv"
in_gdb -p "$job" -ex "mqdump --verbose"
check_golden "gdb, process" "$(names "$scratch/out")"
in_gdb -p "$job" -ex add-inferior -ex "inferior 2" \
    -ex "file $BUILD/job/le64/job" -ex "core-file $scratch/core.$job" \
    -ex "mqdump --verbose"
check_golden "gdb, both" "$(names "$scratch/out")"
check_equal "none is run" "$(ls "$TRACE" 2> "$scratch/err")" ""

$mqdump --verbose --pid "$job" > "$scratch/out" 2> "$scratch/err"
check_golden "process" "$(names "$scratch/err")"
check_equal "and not run" "$(ls "$TRACE" 2> "$scratch/err")" ""
stop_jobs

tests_end
