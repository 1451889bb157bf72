# test_architecture.sh - doc/ARCHITECTURE names each folder and source once
# tier: simulated
#
# doc/ARCHITECTURE names the folders in their order and each source of them once.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# The list of ARCHITECTURE: a folder at the beginning of a line, its files
# below.
sed -n '/^THE FILES/,/^Beside them/p' doc/ARCHITECTURE |
    awk '/^[a-z].*\// { folder = $1 } /^    [a-z]/ { print folder $1 }' \
    > "$scratch/told"
folders=$(sed 's|/[^/]*$||' "$scratch/told" | uniq)

# shellcheck disable=SC2086 # these are several words
find $folders -name '*.[ch]' -o -name '*.py' | sed 's/\.[a-z]*$//' |
    LC_ALL=C sort -u > "$scratch/tree"
LC_ALL=C sort "$scratch/told" > "$scratch/sorted"
if diff "$scratch/sorted" "$scratch/tree" > "$scratch/diff"; then
    pass
else
    {
        sed -n 's/^>/in the tree, but not in ARCHITECTURE:/p
            s/^</in ARCHITECTURE, but not in the tree, or twice:/p' \
            "$scratch/diff"
        echo 'give each file one line, "    NAME  what it is", below its'
        echo 'folder in the section THE FILES of ARCHITECTURE'
    } | fail "the files that ARCHITECTURE names"
fi

# The same folders as those whose direction is checked.
check_equal "the folders that ARCHITECTURE names" \
    "$(echo "$folders" | sed 's|^debugger/||' | LC_ALL=C sort | paste -sd' ' -)" \
    "$(sed -n "/^list='/,/^'/s/^\([a-z][a-z/]*\)\( .*\)*$/\1/p" \
        tests/build/direction.sh | LC_ALL=C sort | paste -sd' ' -)"
check_equal "lines of ARCHITECTURE longer than 80 columns" \
    "$(grep -c '.\{81\}' doc/ARCHITECTURE)" 0

# The Makefile finds the scripts of each tier by what they say.
for script in tests/*/test_*.sh; do
    tier=$(sed -n '2s/^# tier: \([a-z]*\).*/\1/p' "$script")
    case $tier in
    simulated | builds) uses=no ;;
    live) uses=yes ;;
    *) uses="one of the tiers simulated, live, builds in line 2" ;;
    esac
    grep -q '^\. tests/kit/live\.sh' "$script" && got=yes || got=no
    check_equal "$script: whether it uses live.sh" "$got" "$uses"
done

tests_end
