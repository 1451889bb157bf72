# test_watch.sh - queues of current MPIs through libtvmpich.so
# tier: live
#
# libmqwatch: the queues of jobs of today's MPIs, through libtvmpich.so.  What
# is shown does not depend on the MPI.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

for mpi in $found; do
    library=$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so
    build_watched "$mpi" tests/watch/hang.c
    for name in waitall large_send kinds persistent sendrecv wrong_tag freed; do
        check_queues "$name under $mpi" "$mpi" 2 "$name"
    done
    check_queues "communicators under $mpi" "$mpi" 4 communicators
    check_queues "groups under $mpi" "$mpi" 5 groups
done
tests_end
