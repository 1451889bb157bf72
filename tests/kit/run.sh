# run.sh FOLDERS PROGRAMS SCRIPTS: runs each script, and each test program in
# each build folder, three at a time for each processor because many wait most
# of their time, and adds up their counts.  A folder that could not be built has
# the reason in its file "skipped".
#
# SPDX-License-Identifier: BSD-2-Clause

folders=$1 programs=$2 scripts=$3
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM

# The scripts take longest: they come first.
for script in $scripts; do
    echo "$BUILD $script" >> "$scratch/tests"
done
for folder in $folders; do
    if [ -e "$folder/skipped" ]; then
        echo "skipped: test programs of $folder: $(cat "$folder/skipped")"
        echo 0 0 1 >> "$scratch/counts"
        continue
    fi
    for program in $programs; do
        echo "$folder $folder/tests/$program" >> "$scratch/tests"
    done
done

if ! xargs -P "$((3 * $(nproc)))" -L 1 sh tests/kit/run_one.sh \
    "$scratch/counts" \
    < "$scratch/tests"; then
    echo "not all tests could be run"
    echo 0 1 0 >> "$scratch/counts"
fi
# What failed is told once more, where a reader of a long log looks.
cat "$scratch"/counts.failed.* 2> /dev/null
set -- $(awk '{ p += $1; f += $2; s += $3 } END { print p, f, s }' \
    "$scratch/counts")
echo "$1 passed, $2 failed, $3 skipped"
[ "$2" -eq 0 ] && { [ -z "$CI" ] || [ "$3" -eq 0 ]; }
