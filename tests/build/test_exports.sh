# test_exports.sh - what the DLLs give their debugger, and take from it
# tier: builds
#
# What the DLLs give to the debugger that loads them, and take from it.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# exports LIBRARY NAMES
exports() {
    if [ ! -e "$1" ]; then
        skip "exports of $1" "it was not built"
        return
    fi
    nm -D --defined-only "$1" | sed 's/.* //' | LC_ALL=C sort \
        > "$scratch/defined"
    check_same "names that $1 exports" "$scratch/defined" "$2"

    # What it may use of the C library: nothing here allocates or prints.  A
    # compiler may take bcmp for memcmp.
    nm -D --undefined-only "$1" |
        sed -n 's/.* U \([^@]*\).*/\1/p' |
        grep -vxE 'mem(chr|cmp|cpy|move|set)|bcmp|str(len|n?cmp|cpy|ncat|chr)' \
        > "$scratch/used"
    : > "$scratch/nothing"
    check_same "functions that $1 uses" "$scratch/used" "$scratch/nothing"
}

for build in "$BUILD" "$BUILD/clang"; do
    exports "$build/libtvmpich.so" tests/build/exports.txt
    exports "$build/libtvmpich_handles.so" tests/build/exports_handles.txt
    exports "$build/libtvucx.so" tests/build/exports_queues.txt
    exports "$build/libtvompi.so" tests/build/exports_queues.txt
done

tests_end
