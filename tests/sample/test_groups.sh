# test_groups.sh - a common moment of many ranks of one host
# tier: live
#
# More ranks than are stopped at a time are looked at in groups.  Each look is
# taken of all groups, so that they have a moment in common, and a deadlock of
# them all is certain.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils
start_job le64 300 recv_ring
# However busy the host is.
is_counted() {
    $mqdump --job "$job" --format json > "$scratch/out" 2> "$scratch/err"
    [ "$(grep -o '"counted-still"' "$scratch/out" | wc -l)" -eq 300 ]
}
look_until is_counted || fail 'no rank moved' < "$scratch/err"
check_equal 'its verdict' "$(verdict_in "$scratch/out")" deadlock
check_contains 'it is certain' "$(cat "$scratch/out")" \
    '"summary": "Deadlock (certain): ranks 0-299'

tests_end
