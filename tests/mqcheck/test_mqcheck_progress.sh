# test_mqcheck_progress.sh - progress messages of mqcheck
# tier: live
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

"$BUILD/mqcheck" "$BUILD/tests/dlls/slow.so" > "$scratch/out" \
    2> "$scratch/err" &
checking=$!
says_what() { grep -q 'calls made$' "$scratch/err"; }

look_until says_what
check_contains "progress" "$(cat "$scratch/err")" " s: le64, "
kill -KILL "$checking"
wait "$checking" 2> "$scratch/killed"

tests_end
