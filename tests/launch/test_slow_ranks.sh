# test_slow_ranks.sh - launched ranks that are slow to load their files
# tier: live
#
# A rank has its variables only once its files are loaded; until then that none
# is found means nothing.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils
"${CC:-cc}" -o "$scratch/spinning" tests/launch/spinning.c || exit 2
export JOB_PROGRAM="$BUILD/job/le64/job"

for starter in starter starter-partial; do
    timeout 300 "$mqdump" --verbose --after 1 --queues --launch -- \
        "$BUILD/job/le64/$starter" --program "$scratch/spinning" --ranks 2 \
        --seconds 900 pending > "$scratch/out" 2> "$scratch/err"
    check_equal "$starter: marked ranks" \
        "$(errors | grep -c 'rank [01], .*: marked')" 2
done
tests_end
