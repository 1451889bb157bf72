# run.sh - runs tests in parallel and adds up their counts
#
#     run.sh FOLDERS PROGRAMS SCRIPTS
#
# Runs each script, and each test program in each build folder, three at a time
# for each processor because many wait most of their time, and adds up their
# counts.  A folder that could not be built has the reason in its file "skipped".
# Where a few tests fail, they run once more,
# alone, and the log shows both runs: a test that fails only beside others
# depends on load, which is a fault of the test and no reason to doubt a change.
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
        echo "0 0 1 $folder -" >> "$scratch/counts"
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
    echo "0 1 0 - -" >> "$scratch/counts"
fi
awk '$2 > 0 && $5 != "-" { print $4, $5 }' "$scratch/counts" > "$scratch/again"
if [ "$(wc -l < "$scratch/again")" -le 6 ]; then
    while read -r folder test; do
        echo "note: $test of $folder failed beside others: again, alone"
        sh tests/kit/run_one.sh "$scratch/counts" "$folder" "$test" \
            < /dev/null
    done < "$scratch/again"
fi
# What failed is printed once more, where a reader of a long log looks.
cat "$scratch"/counts.failed.* 2> /dev/null
# The last run of each test counts.
set -- $(awk '{ run[$4, $5] = $1 " " $2 " " $3 }
    END {
        for (each in run) {
            split(run[each], n, " ")
            p += n[1]
            f += n[2]
            s += n[3]
        }
        print p + 0, f + 0, s + 0
    }' "$scratch/counts")
echo "$1 passed, $2 failed, $3 skipped"
[ "$2" -eq 0 ] && { [ -z "$CI" ] || [ "$3" -eq 0 ]; }
