# test_titles.sh - each source begins with its name and what it is
# tier: simulated
#
# Who opens a file in C reads in its first line which one it is, and what for.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# untitled TREE: the sources in it that do not begin so.
untitled() {
    find "$1" -name '*.[ch]' ! -path "$1/${BUILD%%/*}/*" | while read -r file; do
        head -n 1 "$file" | grep -q "^/\* ${file##*/} - ." || echo "$file"
    done
}

check_equal "sources without a title" "$(untitled .)" ""
mkdir "$scratch/tree"
echo '/* other.c - what has been renamed */' > "$scratch/tree/planted.c"
echo '/* What has no name. */' > "$scratch/tree/planted.h"
check_equal "sources that were planted without one, and are found" \
    "$(untitled "$scratch/tree" | sed 's/.*[.]//' | LC_ALL=C sort | paste -sd' ' -)" \
    "c h"
tests_end
