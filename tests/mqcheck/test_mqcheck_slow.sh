# test_mqcheck_slow.sh - mqcheck and slow DLLs
# tier: simulated
#
# A slow DLL is asked less often, so that a check ends within a minute, and that
# is said of each rule.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqcheck=$BUILD/mqcheck
dlls=$BUILD/tests/dlls
fewer="fewer repetitions, as the DLL is slow:"

# Sleeping takes no time but by the clock, which goes no further else.
check_quickly() {
    rm -f "$scratch/trace"
    TRACE=$scratch/trace LD_PRELOAD="$(realpath "$dlls/quick_sleep.so")" \
        "$mqcheck" "$@" > "$scratch/out" 2> "$scratch/err"
    check_equal "$1: $(cat "$scratch/err") status" $? 0
}

# check_fewer NAME KEPT RULES: what is said, and how often it was slow: 0.3 s are
# in a minute 200 times.
check_fewer() {
    check_contains "$1: all rules are tested" "$(cat "$scratch/out")" \
        ": $2 rules kept, 0 broken, 0 not tested"
    check_equal "$1: rules with fewer repetitions" \
        "$(sed -n "s/^$fewer //p" "$scratch/out")" "$3"
    times=$(wc -l < "$scratch/trace")
    check_equal "$1: $times times, at most 200" "$((times <= 200))" 1
}

check_quickly "$dlls/slow.so"
check_fewer "a refresh takes 0.3 s" 38 \
    "no_store stale_table failed_read recovery refresh shared_state hang crash"
check_quickly "$dlls/slow_image.so"
check_fewer "an image takes 0.3 s" 38 \
    "no_store stale_table failed_read recovery shared_state hang crash"
check_quickly --tap "$dlls/slow.so"
check_equal "rules with fewer repetitions, for programs" \
    "$(grep -c '^# with fewer repetitions, as the DLL is slow' \
        "$scratch/out")" 8
check_quickly "$dlls/slow_handles.so"
check_fewer "a list of communicators takes 0.3 s" 33 \
    "no_store failed_read recovery hang crash"
check_quickly "$BUILD/libtvmpich.so"
check_equal "a fast DLL" "$(grep -c "$fewer" "$scratch/out")" 0

tests_end
