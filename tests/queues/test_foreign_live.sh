# test_foreign_live.sh - messages on a freed communicator, live
# tier: live
#
# It is no reason to refuse the other messages that have arrived over UCX, on
# the MPIs that are here.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires x86-64 mpi

is_told() {
    $mqdump --raw --pid "$pids" > "$scratch/raw" 2> "$scratch/err"
    [ "$(grep -c '^receive status=pending .* tag=9 ' "$scratch/raw")" -eq 2 ]
}

# check_freed [anew]: what is told of the job.
check_freed() {
    name="$mpi${1:+, $1}"
    start_over_ucx "$mpi" 2 "$scratch/freed" "$scratch/ready" "$@"
    if wait_until is_told; then
        pass
    else
        cat "$scratch/err" >> "$scratch/raw"
        fail "$name: waits" < "$scratch/raw"
    fi
    check_contains "$name: the other message" "$(cat "$scratch/raw")" \
        "unexpected status=complete desired_local=1 desired_global=1 tag=6 "
    check_golden "$name: missing" \
        "$(sed 's/.*queue: //' "$scratch/err" | sort -u)"
    stop_mpis
}

for mpi in $(mpis); do
    "mpicc.$mpi" -w -o "$scratch/freed" tests/queues/state_freed.c
    check_freed
    check_freed anew
done

tests_end
