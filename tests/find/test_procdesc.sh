# test_procdesc.sh - layout of MPIR_PROCDESC from debug information
# tier: live
#
# The members of MPIR_PROCDESC may be others, and in another order, than the
# documents declare: debug information says how the table is read.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils

# The program of both ranks has no queues, which is said of each process.
read_ranks() {
    sed -n 's/.*process \([0-9]*\): .*has no debug.*/\1/p' \
        "$scratch/err" | sort -n
}

has_started() { [ "$(wc -l < "$scratch/pids")" -eq 2 ]; }

for state in "" -DNO_STATE; do
    cc -g $state -o "$scratch/starter" tests/programs/hostile/procdesc.c
    : > "$scratch/pids"
    "$scratch/starter" 2 > "$scratch/pids" &
    job=$! jobs_started=$!
    wait_until has_started
    "$mqdump" --verbose --job "$job" > "$scratch/out" 2> "$scratch/err"
    check_equal "--job: ranks $state" "$(read_ranks)" \
        "$(sort -n "$scratch/pids")"
    check_equal "--job: layout $state" \
        "$(grep layout "$scratch/err")" ""
    check_equal "--job: state $state" \
        "$(grep -c 'MPIR_debug_state is' "$scratch/err")" \
        "$([ -z "$state" ] && echo 1 || echo 0)"
    stop_jobs
done

cc -g -o "$scratch/starter" tests/programs/hostile/procdesc.c
"$mqdump" --verbose --launch -- "$scratch/starter" 2 > "$scratch/pids" \
    2> "$scratch/err" &
launched=$! jobs_started=$!
tells_rank() { grep -q "rank 1, .* is not released" "$scratch/err"; }
wait_until tells_rank
kill -TERM "$launched"
wait "$launched"
check_equal "--launch: ranks" \
    "$(sed -n 's/.*rank [01], process \([0-9]*\), .*/\1/p' "$scratch/err" \
       | sort -n -u)" "$(grep '^[0-9]*$' "$scratch/pids" | sort -n)"
tests_end
