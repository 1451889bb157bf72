# harness.sh - the checks of harness.h for shell tests.  A test script sources
# this file, calls check_... for each case, and ends with tests_end.
#
# SPDX-License-Identifier: BSD-2-Clause

BUILD=${BUILD:-build}

. tests/kit/sentences.sh

# Recordings of genuine MPICH jobs, with what is to be found in each.
genuine=tests/data/genuine

tests_passed=0
tests_skipped=0
scratch=$(mktemp -d) || exit 2
unset DEBUGINFOD_URLS
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM

pass() { tests_passed=$((tests_passed + 1)); }

# fail NAME: counts it; what went wrong is read from standard input.  The count
# is in a file because the end of a pipe is a process of its own.
fail() {
    echo >> "$scratch/.failed"
    printf 'failed: %s\n' "$1"
    sed 's/^/  /'
}

# check_same NAME GOT_FILE WANTED_FILE
check_same() {
    if diff -u "$3" "$2" > "$scratch/diff"; then
        pass
    else
        fail "$1: - is wanted, + is got" < "$scratch/diff"
    fi
}

# check_equal NAME GOT WANTED
check_equal() {
    if [ "$2" = "$3" ]; then
        pass
    else
        printf 'got    %s\nwanted %s\n' "$2" "$3" | fail "$1"
    fi
}

# check_contains NAME TEXT PART
check_contains() {
    case $2 in
    *"$3"*) pass ;;
    *) printf 'got    %s\nlacks  %s\n' "$2" "$3" | fail "$1" ;;
    esac
}

# skip NAME REASON
skip() {
    tests_skipped=$((tests_skipped + 1))
    printf 'skipped: %s: %s\n' "$1" "$2"
}

# check_schema NAME FILE: whether a report for programs follows the schema.
check_schema() {
    if command -v python3 > /dev/null; then
        check_equal "$1" "$(python3 tests/report/schema.py \
            tests/report/report.schema.json < "$2" 2>&1)" ''
    else
        skip "$1" "there is no python3"
    fi
}

# What is on standard error, but that the host of these tests is busy.
errors() { sed '/^mqdump: this host is busy: /d' "$scratch/err"; }

# A script that checks nothing has failed.
tests_end() {
    [ $tests_passed -gt 0 ] || [ $tests_skipped -gt 0 ] ||
        [ -e "$scratch/.failed" ] ||
        fail "nothing is checked" < /dev/null
    tests_failed=$(cat "$scratch/.failed" 2> /dev/null | wc -l | tr -d ' ')
    echo "$tests_passed passed, $tests_failed failed," \
        "$tests_skipped skipped"
    [ "$tests_failed" -eq 0 ]
    exit
}
