# test_marks_elsewhere.sh - launcher with symbols inside the C library
# tier: live
#
# A starter whose symbols lead into the C library: nothing is written there, in
# it or in the processes that it lists.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb setarch

# build NAME LINKER_OPTION...
build() {
    name=$1
    shift
    cc -no-pie -g -o "$scratch/$name" "$@" \
        tests/programs/hostile/points_elsewhere.c
}

# start NAME ARGUMENT...: at addresses that are always the same.
start() {
    : > "$scratch/said"
    (cd "$scratch" && exec setarch -R "$scratch/$@") > "$scratch/said" &
    process=$!
    jobs_started="$jobs_started $process"
    wait_until grep -q '^ready\|^started' "$scratch/said"
    mv "$scratch/said" "$scratch/said.$process"
}

# What process PID has at $place.
word_of() {
    dd if="/proc/$1/mem" bs=1 skip="$((place))" count=4 2> /dev/null |
        od -An -v -td4 | tr -d ' '
}

says_started() { grep -q started "$scratch/said.$starter"; }
is_told() { grep -qs "$told_debugged" "$scratch/err"; }

build plain
for where in text data; do
    place=$(setarch -R "$scratch/plain" find $where)
    build $where "-Wl,--defsym,MPIR_being_debugged=$place" \
        "-Wl,--defsym,MPIR_debug_gate=$place"
    check_equal "$where: the same layout" \
        "$(setarch -R "$scratch/$where" find $where)" "$place"
    start plain watch
    one=$process
    start plain watch
    other=$process

    # One that has started, and one that is waited for.
    start $where start "$one" "$other"
    starter=$process
    timeout 120 "$mqdump" -v --job "$starter" > "$scratch/out" 2> "$scratch/err"
    check_equal "$where: the starter" \
        "$(word_of "$starter")" 0

    rm -f "$scratch/go"
    WAITS_FOR_IT=1
    export WAITS_FOR_IT
    start $where start "$one" "$other"
    starter=$process
    unset WAITS_FOR_IT
    timeout 120 "$mqdump" -v --until MPIR_Breakpoint --job "$starter" \
        > "$scratch/out" 2> "$scratch/err" &
    reader=$!
    wait_until is_told || fail "$where: not awaited" < "$scratch/err"
    : > "$scratch/go"
    wait $reader
    if wait_until says_started; then
        pass
    else
        fail "$where: it is held" < "$scratch/err"
    fi
    for rank in $one $other; do
        check_equal "$where: process $rank" \
            "$(cat "$scratch/said.$rank")" ready
    done
    check_equal "$where: an awaited starter" \
        "$(word_of "$starter")" 0
    stop_jobs
done
tests_end
