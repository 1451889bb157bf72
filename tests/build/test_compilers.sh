# test_compilers.sh - builds by other compilers and C libraries
# tier: builds
#
# What clang builds, what is built for the musl C library and what is built for
# another processor do the same as what the tests look at otherwise.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

unset MAKEFLAGS MAKEOVERRIDES CFLAGS CPPFLAGS LDFLAGS

"$BUILD/tests/kit/scenario" le64 > "$scratch/job.mqsnap"
"$BUILD/mqdump" --raw "$scratch/job.mqsnap" > "$scratch/wanted"
"$BUILD/mqcheck" "$BUILD/libtvmpich.so" | sed 's/^[^:]*: //' \
    > "$scratch/rules"

for other in clang musl aarch64; do
    if [ -e "$BUILD/$other/skipped" ]; then
        skip "a build with $other" "$(cat "$BUILD/$other/skipped")"
        continue
    fi
    runner=
    if [ $other = aarch64 ]; then
        runner="qemu-aarch64-static -L /usr/aarch64-linux-gnu"
        if ! command -v qemu-aarch64-static > /dev/null; then
            skip "programs for $other" "no qemu-aarch64-static"
            continue
        fi
    fi
    $runner "$BUILD/$other/mqdump" --raw "$scratch/job.mqsnap" > "$scratch/got" 2>&1
    check_same "$other: mqdump" "$scratch/got" "$scratch/wanted"
    # Emulated, its many processes are translated again, each for itself.
    if [ -n "$runner" ]; then
        for program in direct/test_interrupted target/test_registers \
            watch/test_watch_limits watch/test_watch_record; do
            $runner "$BUILD/$other/tests/$program" > "$scratch/got" 2>&1
            check_equal "$other: $program" $? 0
        done
        check_contains "$other: libmqwatch" \
            "$(readelf -h "$BUILD/$other/libmqwatch-abi.so")" AArch64
        continue
    fi
    "$BUILD/$other/mqcheck" "$BUILD/$other/libtvmpich.so" |
        sed 's/^[^:]*: //' > "$scratch/got" 2>&1
    check_same "$other: mqcheck" "$scratch/got" "$scratch/rules"
done

# The words and folders of whoever packages it are used.
make -n -B BUILD="$scratch/made" CC=my-cc AR=my-ar CFLAGS=-my-c \
    CPPFLAGS=-my-cpp LDFLAGS=-my-ld all > "$scratch/commands" 2> /dev/null
check_equal "CFLAGS and CPPFLAGS" \
    "$(grep '^my-cc.* -c ' "$scratch/commands" |
        grep -vc -e '-my-cpp.*-my-c ')" 0
check_equal "LDFLAGS" \
    "$(grep '^my-cc' "$scratch/commands" | grep -v ' -c ' |
        grep -vc -e '-my-ld')" 0
check_equal "unused compilers, archivers" \
    "$(grep -cE '^ *(gcc|cc|clang|ar) ' "$scratch/commands")" 0
check_contains "CC, environment" \
    "$(CC=their-cc make -n -B BUILD="$scratch/made" all 2> /dev/null)" \
    "their-cc -std=c99"
check_contains "warnings, CI" \
    "$(CI=true make -n -B BUILD="$scratch/made" all 2> /dev/null)" -Werror
check_equal "warnings, make lint" \
    "$(CI='' make -n -B BUILD="$scratch/made" all 2> /dev/null |
        grep -c -e -Werror)" 0
check_contains "a missing linter" \
    "$(make -s lint lint_tools=no-such-linter 2>&1)" \
    "install the package no-such-linter"

tests_end
