# test_watch_sleepers.sh - possible wakers of sleeping threads
# tier: live, long
#
# Only another thread of its process: then a deadlock of those in MPI is
# certain.  Another process, a signal's handler, or time: then it is possible.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis
requires elfutils

# check CERTAINTY SHAPE WHERE WHO
check() {
    name="$2 ($3) of the $4 thread under $mpi${library:+ with libmqwatch}"
    start_watched_with "$library" "$mpi" 2 "$program" "$2" "$3" "$4"
    [ "$1" = certain ] || says "$name" "not certain: "
    [ "$1" = possible ] || says "$name" "Deadlock (certain): "
    [ "$1" = certain ] || check_equal "$name: possible" \
        "$(grep -c '^Deadlock' "$scratch/said")" 0
    stop_watch_job
}

for mpi in $found; do
    build_watched "$mpi" tests/watch/sleepers.c
    handling=$scratch/handling-$mpi
    "mpicc.$mpi" -w -g -O1 -DHANDLES -o "$handling" tests/watch/sleepers.c \
        -pthread
    for library in "$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so" ""; do
        check certain semaphore own other
        check certain word own main
        check certain any_word own other
        check possible timed own other
        check possible semaphore shared other
        check possible condition shared main
        check possible any_word shared other
        [ -z "$library" ] || continue
        check certain semaphore own main
        check certain word own other
        check certain barrier own other
        check certain lock own main
        check certain condition unshared other
        check certain semaphore unshared other
    done
    program=$handling
    check possible semaphore own other
    check possible word own other
    check possible barrier own other
done
tests_end
