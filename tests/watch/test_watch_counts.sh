# test_watch_counts.sh - message counters
# tier: live
#
# libmqwatch counts each message where it belongs, whatever the thread sent or
# received before.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

: > "$scratch/nothing"
for mpi in $found; do
    "mpicc.$mpi" -w -g -O1 -I. -o "$scratch/counts" tests/watch/counts.c \
        -pthread -ldl
    for threads in "" threads; do
        LD_PRELOAD=$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so \
            timeout 300 "$scratch/counts" $threads > "$scratch/said" 2>&1
        check_equal "status under $mpi $threads" $? 0
        check_same "counts under $mpi $threads" "$scratch/said" \
            "$scratch/nothing"
    done
done
tests_end
