# test_setup_once.sh - DLLs and images are set up once
# tier: live
#
# A DLL is given the basic callbacks once by each program that loads it, and an
# image once, however often its processes are looked at ("MPI Message Queue
# Dumping": Startup calls in the DLL).
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

TRACE=$scratch/trace
export TRACE

requires elfutils

# counts WHAT: how often each program that did it at all was told of it, and how
# many programs did.
counts() {
    grep " $1\$" "$TRACE" | sort | uniq -c | awk '{ print $1 }' | sort |
        uniq -c | awk '{ print ($1 > 0 ? "some" : ""), $2 }' | paste -sd, -
}

# Ranks that are copies of one process have one image, and are looked at several
# times: they poll, so that nothing is known without a look.
start_job le64 4 --keep-sends 1 pending
$mqdump --dll "$BUILD/tests/dlls/notes_setups.so" --looks 4 \
    --pid "$(job_pids)" > "$scratch/out" 2> "$scratch/err"
check_equal "ranks" "$(ranks_in "$scratch/out")" \
    "0 MPI_Recv,1 MPI_Recv,2 MPI_Recv,3 MPI_Recv"
check_equal "basic callbacks" "$(counts basic)" "some 1"
check_equal "images" "$(counts image)" "some 1"
stop_jobs
tests_end
