# test_memory.sh - failing allocations
# tier: simulated, long
#
# Whichever allocation fails, mqdump says so, or writes all that it should.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
job=tests/data/golden/answers.mqdigest
COLUMNS=80
export COLUMNS

if ! ${CC:-cc} -shared -fPIC -o "$scratch/fail_nth.so" \
    tests/programs/preload/fail_nth.c 2> "$scratch/err"; then
    skip 'failing allocations' 'no compiler'
    tests_end
fi

# What may be said of a digest of which some processes were read.
reading='reading a digest\|adding a process\|keeping what was found\|what was found of\|ranks of a'

# check_failures NAME ARGUMENT...: fails each allocation up to the last one.  A
# digest that could not be read to its end may still show a deadlock.
check_failures() {
    name=$1
    shift
    "$mqdump" "$@" "$job" > "$scratch/whole" 2> "$scratch/err"
    status=$?
    nth=0 silent=0
    : > "$scratch/wrong"
    while [ $silent -lt 30 ] && [ $nth -lt 2000 ]; do
        nth=$((nth + 1))
        FAIL_NTH=$nth LD_PRELOAD=$scratch/fail_nth.so timeout 600 "$mqdump" \
            "$@" "$job" > "$scratch/out" 2> "$scratch/err"
        got=$?
        silent=$((silent + 1))
        if grep -q 'memory' "$scratch/err"; then
            silent=0
            [ $got -eq 2 ] || grep -q "$reading" "$scratch/err" || echo "$nth: status $got" >> "$scratch/wrong"
        elif [ $got -ne $status ] ||
            ! cmp -s "$scratch/out" "$scratch/whole"; then
            silent=0
            echo "$nth: status $got, and nothing said" >> "$scratch/wrong"
        fi
    done
    check_equal "$name: $nth allocations" "$(cat "$scratch/wrong")" ''
}

for format in text json csv svg html; do
    check_failures "format $format" --format $format
done
check_failures 'a digest' --digest -
check_failures 'a comparison' --diff "$job"
tests_end
