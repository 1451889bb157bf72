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
    if diff -u "$3" "$2" > "$scratch/.diff"; then
        pass
    else
        fail "$1: - is wanted, + is got" < "$scratch/.diff"
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
        skip "$1" "no python3"
    fi
}

# has FEATURE: whether this machine, or the build, has it; else it is a program.
has() {
    case $1 in
    capstone | elfutils) "$BUILD/mqdump" --version | grep -q "$1" ;;
    mpi) [ -n "$(mpis)" ] ;;
    root) [ "$(id -u)" -eq 0 ] ;;
    watched-mpich) [ -e "$BUILD/libmqwatch-mpich.so" ] ;;
    x86-64) [ "$(uname -m)" = x86_64 ] ;;
    *) command -v "$1" > /dev/null ;;
    esac
}

# requires FEATURE...: without one of them the rest of the script is skipped.
requires() {
    for feature in "$@"; do
        has "$feature" || {
            skip "the rest" "this lacks $feature"
            tests_end
        }
    done
}

# What is on standard error, but what a busy host makes programs say.
errors() {
    sed '/^mqdump: this host is busy: /d; /^mqcheck: [0-9]* s: /d' \
        "$scratch/err"
}

# ---- Golden files ------------------------------------------------------------

# What programs print is compared with the script's golden file, a section of it
# for each NAME.  GOLDEN=write writes the file instead (make golden), and what
# has changed is read in review.
golden_file=tests/golden/${0#tests/}
golden_file=${golden_file%.sh}

# known WORD TEXT: golden files have WORD where TEXT, such as the id of a
# process, is another one in each run.
known() {
    printf 's|\\b%s\\b|%s|g\n' "$(printf %s "$2" | sed 's/[].|*^$[\\]/\\&/g')" \
        "$1" >> "$scratch/.known"
}

# Without what a report says of where and when it was made.
timeless() {
    awk '/^job: .* [0-9]+ rank/ { on = 1; next } on && /^  / { next }
        { on = 0 } !/^    "(host|time|last_call)": /'
}

# Paths and processes of this run by words of all runs.
uniform() {
    touch "$scratch/.known"
    # Where a title with the path of the checkout wraps is no matter.
    sed -f "$scratch/.known" | sed "/^rank [^:]*:\$/{N;s|\n  $PWD| $PWD|;P;D;}" |
        sed -e "s|$scratch|SCRATCH|g" -e "s|$PWD/||g" \
        -e "s,\(^\|[^A-Za-z0-9/.]\)$BUILD/,\1build/,g" \
        -e "s/\(^\|[ (]\)\(process\|pid\) [0-9][0-9]*/\1\2 N/g" \
        -e "s/in [0-9]* samples over [0-9.]* s/in N samples over T s/" | timeless
}

# check_golden NAME TEXT
check_golden() {
    printf '%s\n' "$2" | uniform > "$scratch/.got"
    { echo "==== $1"; cat "$scratch/.got"; } >> "$scratch/.sections"
    [ "$GOLDEN" = write ] ||
        golden_section "$1" "$golden_file" > "$scratch/.wanted"
    if [ "$(grep -cFx "==== $1" "$scratch/.sections")" -gt 1 ]; then
        fail "$1: two sections" < /dev/null
    elif [ "$GOLDEN" = write ]; then
        pass
    else
        check_same "$1" "$scratch/.got" "$scratch/.wanted"
    fi
}

# golden NAME COMMAND...: what it prints, in $scratch/out and $scratch/err, and
# its exit $status.
golden() {
    golden_name=$1
    shift
    timeout 600 "$@" > "$scratch/out" 2> "$scratch/err"
    status=$?
    check_golden "$golden_name" "\$ $(echo "$*" |
        sed 's/\(--pid\|--job\) [0-9][0-9,]*/\1 N/')
$(cat "$scratch/out"; errors | sed 's/^/! /')
exit $status"
}

# golden_lines NAME PATTERN: the lines of $scratch/err that have it.
golden_lines() { check_golden "$1" "$(grep -e "$2" "$scratch/err")"; }

# verdict_in FILE: of a report in JSON.
verdict_in() { sed -n 's/^  "verdict": "\(.*\)",$/\1/p' "$1"; }

# first_part FILE PATTERN: the first part of a report that fits, in one line.
first_part() { tr -s ' \n' ' ' < "$1" | grep -o -e "$2" | head -n 1; }

# golden_section NAME FILE
golden_section() {
    awk -v head="==== $1" '/^==== / { on = $0 == head; next } on' "$2"
}

# Sections that were not made because something was skipped stay.
write_golden() {
    mkdir -p "${golden_file%/*}"
    if [ $tests_skipped -gt 0 ] && [ -e "$golden_file" ]; then
        awk '/^==== / { on = !seen[$0]; seen[$0] = 1 } on' \
            "$scratch/.sections" "$golden_file" > "$scratch/.all"
        cp "$scratch/.all" "$golden_file"
    else
        cp "$scratch/.sections" "$golden_file"
    fi
}

# check_golden_file NAME FILE GOLDEN: the same for what is a file of its own.
check_golden_file() {
    [ "$GOLDEN" != write ] || cp "$2" "$3"
    check_same "$1" "$2" "$3"
}

# A script that checks nothing has failed.
tests_end() {
    [ "$GOLDEN" != write ] || [ ! -e "$scratch/.sections" ] || write_golden
    [ $tests_passed -gt 0 ] || [ $tests_skipped -gt 0 ] ||
        [ -e "$scratch/.failed" ] ||
        fail "nothing is checked" < /dev/null
    tests_failed=$(cat "$scratch/.failed" 2> /dev/null | wc -l | tr -d ' ')
    echo "$tests_passed passed, $tests_failed failed," \
        "$tests_skipped skipped"
    [ "$tests_failed" -eq 0 ]
    exit
}
