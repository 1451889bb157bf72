# test_watch_steps.sh - consistent state at each instruction
# tier: live
#
# libmqwatch: what a debugger sees is whole and true at each instruction.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

: > "$scratch/nothing"
for mpi in $found; do
    "mpicc.$mpi" -w -g -O1 -I. -rdynamic -o "$scratch/steps" \
        tests/watch/steps.c -ldl
    "mpicc.$mpi" -w -g -O1 -I. -fPIC -shared -DNEXT -o "$scratch/next.so" \
        tests/watch/steps.c
    for threads in "" threads; do
        LD_PRELOAD="$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so $scratch/next.so" \
            timeout 300 "$scratch/steps" $threads > "$scratch/said" 2>&1
        status=$?
        if [ "$status" -eq 77 ]; then
            skip "steps under $mpi $threads" "not permitted"
            continue
        fi
        check_equal "status under $mpi $threads" "$status" 0
        check_same "steps under $mpi $threads" "$scratch/said" \
            "$scratch/nothing"
    done
done
tests_end
