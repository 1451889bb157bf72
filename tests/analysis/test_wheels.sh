# test_wheels.sh - programs that hang on the MPIs of PyPI
# tier: live, long
#
# A program for each kind of waiting, on each MPI that tests/kit/wheels.sh has
# fetched, as test_knowledge.sh runs them on the MPIs of this machine.  HANGS in
# the environment is as there.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires_wheels
MPIS=$(wheels)
HANGS=${HANGS:-ring_ssend many_tags ring_waitany ring_probe split_missing \
    bcast_against_barrier ibcast_against_ialltoall alltoallv_counts \
    window_free stuck_finalize poll_and_compute}
export MPIS HANGS
sh tests/analysis/test_knowledge.sh
