# What is read of the tables by which functions without symbols are found.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh

if ! command -v python3 > "$scratch/which"; then
    skip "unwind tables" "there is no python3"
    tests_end
fi

(
    ulimit -v 2000000
    python3 tests/unwind_tables.py debugger/target 20000
) > "$scratch/cases" 2> "$scratch/said"
check_equal "exit status" $? 0
check_equal "complaints" "$(cat "$scratch/said")" ""
while IFS= read -r line; do
    case $line in
    ok\ *) pass ;;
    *) echo "$line" | fail "a case" ;;
    esac
done < "$scratch/cases"
check_equal "cases" "$(wc -l < "$scratch/cases")" 6

tests_end
