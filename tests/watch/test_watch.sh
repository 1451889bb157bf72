# test_watch.sh - the queues of today's MPIs, through libtvmpich.so
# tier: live
#
# libmqwatch: the queues of jobs of today's MPIs, through libtvmpich.so.  What
# is shown does not depend on the MPI.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis "watched jobs"

# Processes in the order of their ranks, and nothing that differs from run to
# run.
shown() {
    $mqdump --raw --pid "$pids" 2> "$scratch/said" \
        | sed -e 's/0x[0-9a-f][0-9a-f]*/0xADDRESS/g' -e '/^process/s/ image=.*//'
}

is_shown() { shown > "$scratch/shown"; cmp -s "$scratch/shown" "$golden"; }

# check_queues MPI RANKS PROGRAM: as tests/data/golden/watch has it.
check_queues() {
    golden=tests/data/golden/watch/$3
    start_watched "$1" "$2" "$program" "$3"
    for _ in 1 2 3 4 5 6; do
        is_shown && break
        sleep 0.5
    done
    check_same "$3 under $1" "$scratch/shown" "$golden"
    stop_watch_job
}

for mpi in $found; do
    build_watched "$mpi" tests/watch/hang.c
    for name in waitall large_send kinds persistent sendrecv wrong_tag; do
        check_queues "$mpi" 2 "$name"
    done
    check_queues "$mpi" 4 communicators
    check_queues "$mpi" 5 groups
done
tests_end
