# test_nasty_names.sh - escaping of names in every format
# tier: simulated
#
# Nasty bytes in all names of a job come out harmless in every format.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

requires python3

mkdir "$scratch/digests"
python3 tests/report/nasty_names.py "$BUILD/mqdump" "$scratch/digests" \
    > "$scratch/cases" 2> "$scratch/said"
check_equal "all cases: exit status" $? 0
check_equal "all cases: complaints" "$(cat "$scratch/said")" ""
while IFS= read -r line; do
    case $line in
    ok\ *) pass ;;
    *) echo "$line" | fail "a case" ;;
    esac
done < "$scratch/cases"
check_equal "there were many" $(($(wc -l < "$scratch/cases") > 150)) 1

tests_end
