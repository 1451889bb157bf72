# test_sends_live.sh - UCX sends derived from receivers, live
# tier: live
#
# Two ranks that wait for sends of all kinds, which lie at the other one as
# messages that nobody receives, are stuck for certain, over UCX, too, which
# lists no sends: each message leads to its request.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires x86-64 mpi

for mpi in $(mpis); do
    "mpicc.$mpi" -w -o "$scratch/sends" tests/queues/state_sends.c
    start_over_ucx "$mpi" 2 "$scratch/sends" "$scratch/ready"
    if wait_until has_verdict deadlock '"call": "MPI_Waitall"' \
        '"ranks": [0, 1]'; then
        pass
    else
        cat "$scratch/err" >> "$scratch/shown"
        fail "$mpi: certain" < "$scratch/shown"
    fi
    check_contains "$mpi: no data" \
        "$($mqdump --pid "$pids" 2>&1 | tr -s ' \n' ' ')" \
        "(send of tag 1, 0 bytes, on"
    stop_mpis
done

tests_end
