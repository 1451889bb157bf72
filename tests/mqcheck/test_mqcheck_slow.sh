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
fewer="fewer repetitions, .*:"

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
    check_contains "$1: all rules" "$(cat "$scratch/out")" \
        ": $2 rules kept, 0 broken, 0"
    check_equal "$1: fewer" \
        "$(sed -n "s/^$fewer //p" "$scratch/out")" "$3"
    times=$(wc -l < "$scratch/trace")
    check_equal "$1: $times times, at most 200" "$((times <= 200))" 1
}

stale="no_store stale_table failed_read recovery"
check_quickly "$dlls/slow.so"
check_fewer "slow refresh" 38 \
    "$stale refresh shared_state hang crash"
check_quickly "$dlls/slow_image.so"
check_fewer "slow image" 38 \
    "$stale shared_state hang crash"
check_quickly --tap "$dlls/slow.so"
check_equal "fewer, --tap" \
    "$(grep -c '^# with fewer repetitions, ' \
        "$scratch/out")" 8
check_quickly "$dlls/slow_handles.so"
check_fewer "slow communicators" 33 \
    "no_store failed_read recovery hang crash"
check_quickly "$BUILD/libtvmpich.so"
check_equal "a fast DLL" "$(grep -c "$fewer" "$scratch/out")" 0

tests_end
