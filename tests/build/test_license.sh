# test_license.sh - each source names the license
# tier: simulated
#
# Each source names its license in the comment that it begins with, and the
# license is that of the file LICENSE; the script that adds the line finds those
# without.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

check_contains 'the license' "$(head -n 1 LICENSE)" 'BSD 2-Clause'

mkdir "$scratch/tree"
tar --exclude="./${BUILD%%/*}" --exclude=./.git --exclude=./tests/data/corpus \
    --exclude=./tests/data/genuine -cf - . | tar -xf - -C "$scratch/tree"
for name in c h sh py; do
    case $name in
    c | h) echo '/* planted - a source without the line */' ;;
    *) printf '# planted - a source without the line\n\ntrue\n' ;;
    esac > "$scratch/tree/tests/build/planted.$name"
done
(cd "$scratch/tree" && find . -type f -exec cksum {} + | sort) \
    > "$scratch/before"
sh tests/build/license.sh "$scratch/tree"
(cd "$scratch/tree" && find . -type f -exec cksum {} + | sort) \
    > "$scratch/after"
comm -13 "$scratch/before" "$scratch/after" | sed 's/.* //' > "$scratch/without"
check_equal 'planted sources' \
    "$(sed -n 's|^./tests/build/planted\.||p' "$scratch/without" |
        LC_ALL=C sort | paste -sd' ' -)" 'c h py sh'
check_equal 'run tests/build/license.sh' \
    "$(grep -v /planted "$scratch/without")" ''

tests_end
