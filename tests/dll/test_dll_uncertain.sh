# test_dll_uncertain.sh - Open MPI's own DLL makes no verdict certain
# tier: simulated
#
# A deadlock that is certain by one DLL is possible by the same one under the
# name of Open MPI's own, whose errors are known.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
own=$scratch/libompi_dbg_msgq.so
cp "$BUILD/libtvmpich.so" "$own"

# verdict_by DLL: exit status and verdict of a job that hangs.
verdict_by() {
    $mqdump --still --format json --dll "$1" "$genuine"/pend-le64.*.mqsnap \
        > "$scratch/report" 2> "$scratch/said"
    echo "$? $(sed -n 's/^  "verdict": "\(.*\)",/\1/p' "$scratch/report")"
}

check_equal "by a DLL" "$(verdict_by "$BUILD/libtvmpich.so")" "1 deadlock"
check_equal "Open MPI's own" "$(verdict_by "$own")" "1 possible-deadlock"
check_contains "why" "$(cat "$scratch/report")" \
    '"reason": "queues-not-read"'

tests_end
