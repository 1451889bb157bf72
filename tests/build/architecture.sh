# architecture.sh [TREE]: whether doc/ARCHITECTURE in TREE names each folder and
# source once, in lines of at most 80 columns, and each script of its tests says
# its tier.  Tells each that is not so.
#
# SPDX-License-Identifier: BSD-2-Clause

cd "${1:-.}" || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# The list of ARCHITECTURE: a folder at the beginning of a line, its files
# below.
sed -n '/^THE FILES/,/^Beside them/p' doc/ARCHITECTURE |
    awk '/^[a-z].*\// { folder = $1 } /^    [a-z]/ { print folder $1 }' \
    > "$scratch/told"
folders=$(sed 's|/[^/]*$||' "$scratch/told" | uniq)
LC_ALL=C sort "$scratch/told" > "$scratch/sorted"
# shellcheck disable=SC2086 # these are several words
find $folders -name '*.[ch]' -o -name '*.py' | sed 's/\.[a-z]*$//' |
    LC_ALL=C sort -u > "$scratch/tree"

# The same folders as those whose direction is checked.
echo "$folders" | sed 's|^debugger/||' | LC_ALL=C sort > "$scratch/folders"
sed -n "/^list='/,/^'/s/^\([a-z][a-z/]*\)\( .*\)*$/\1/p" \
    tests/build/direction.sh | LC_ALL=C sort > "$scratch/directed"

# The Makefile finds the scripts of each tier by what they say.
tiers() {
    for script in tests/*/test_*.sh; do
        tier=$(sed -n '2s/^# tier: \([a-z]*\).*/\1/p' "$script")
        uses=$(grep -q '^\. tests/kit/live\.sh' "$script" && echo live)
        case $tier,$uses in
        simulated, | builds, | live,live) ;;
        live,) echo "$script: it is live, and does not use live.sh" ;;
        simulated,live | builds,live)
            echo "$script: it uses live.sh, and is not live" ;;
        *) echo "$script: its second line names no tier" ;;
        esac
    done
}

{
    diff "$scratch/sorted" "$scratch/tree" |
        sed -n 's/^> \(.*\)/\1: it is not in ARCHITECTURE/p
            s/^< \(.*\)/\1: it is not in the tree, or twice in ARCHITECTURE/p'
    diff "$scratch/folders" "$scratch/directed" |
        sed -n 's/^> \(.*\)/\1: this folder is not in ARCHITECTURE/p
            s/^< \(.*\)/\1: this folder is not in direction.sh/p'
    grep -n '.\{81\}' doc/ARCHITECTURE |
        sed 's/:.*/: this line is longer than 80 columns/'
    tiers
} > "$scratch/faults"
cat "$scratch/faults"
[ ! -s "$scratch/faults" ]
