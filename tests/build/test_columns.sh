# test_columns.sh - no line of C is wider than 80 columns
# tier: simulated
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# wide TREE: where lines of its sources are wider.
wide() {
    find "$1" -name '*.[ch]' ! -path "$1/${BUILD%%/*}/*" \
        ! -path "$1/tests/data/*" -exec \
        awk 'length($0) > 80 { print FILENAME ":" FNR }' {} +
}

check_equal "wide lines" "$(wide .)" ""
mkdir "$scratch/tree"
printf '%080d\n%081d\n' 0 0 > "$scratch/tree/planted.c"
check_equal "planted line" "$(wide "$scratch/tree")" \
    "$scratch/tree/planted.c:2"
tests_end
