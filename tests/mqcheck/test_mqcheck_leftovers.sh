# test_mqcheck_leftovers.sh - processes started by a DLL are ended
# tier: simulated
#
# Nothing that a DLL starts and cuts loose outlives mqcheck.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

TRACE=$scratch/trace timeout 300 "$BUILD/mqcheck" \
    "$BUILD/tests/dlls/leaves_behind.so" > "$scratch/out" 2>&1
check_equal "complete" "$(($? < 2))" 1
check_equal "it left processes behind" \
    "$([ "$(wc -l < "$scratch/trace")" -gt 0 ] && echo yes)" yes
while read -r pid; do
    if [ -e "/proc/$pid" ] &&
        ! grep -q "^State:.Z" "/proc/$pid/status"; then
        kill -KILL "$pid"
        echo "$pid" >> "$scratch/alive"
    fi
done < "$scratch/trace"
check_equal "processes" "$(cat "$scratch/alive" \
    2> "$scratch/err")" ""

tests_end
