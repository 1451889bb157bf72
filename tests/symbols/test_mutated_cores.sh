# test_mutated_cores.sh - mutated programs and core files
# tier: live
#
# A program or a core file of which some bytes are others ends with a sentence or
# a report, and says nothing harmful.  A few are tried here; more are by hand:
# tests/programs/hostile/mutated_core.py.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb gcore python3

start_job le64 1 pending
gcore -o "$scratch/core" "$job" > "$scratch/gcore" 2>&1
stop_jobs
mkdir "$scratch/mutated"
python3 tests/programs/hostile/mutated_core.py "$mqdump" "$BUILD/job/le64/job" \
    "$scratch/core.$job" "$scratch/mutated" 5 1 \
    > "$scratch/shown" 2> "$scratch/said"
check_equal "mutated cores" \
    "$(cat "$scratch/shown" "$scratch/said")" "ok 5 inputs of seed 1"

tests_end
