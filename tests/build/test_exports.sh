# test_exports.sh - exported and imported symbols of the libraries
# tier: builds
#
# What the DLLs give to the debugger that loads them, and take from it; and that
# libmqdebug exports what its header declares, and both are as they were when its
# number was given.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# exports LIBRARY NAMES
exports() {
    if [ ! -e "$1" ]; then
        skip "exports of $1" "not built"
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

# What a program with libmqdebug is compiled with, a declaration a line.
interface=tests/build/interface_libmqdebug.txt
sed '/^#include/d' include/libmqdebug.h | ${CC:-cc} -E -P -x c - |
    tr '\n' ' ' | sed 's/; */;\n/g' | tr -s ' ' | sed 's/ *$//; /^$/d' \
    > "$scratch/declared"
check_same 'what libmqdebug.h declares: another thing is another abi' \
    "$scratch/declared" "$interface"

sed -n 's/^.*[ *]\(mqdebug_[a-z_]*\)(.*/\1/p' "$interface" |
    LC_ALL=C sort > "$scratch/wanted"
for build in "$BUILD" "$BUILD/clang"; do
    for library in "$build"/libmqdebug.so.*; do
        [ -e "$library" ] || continue
        nm -D --defined-only "$library" |
            sed -n 's/.* \([^@ ]*\)@@LIBMQDEBUG_2$/\1/p' |
            LC_ALL=C sort > "$scratch/got"
        check_same "names that $library exports" "$scratch/got" \
            "$scratch/wanted"
        check_equal "other names that $library exports" \
            "$(nm -D --defined-only "$library" |
                grep -vE '@@LIBMQDEBUG_2| LIBMQDEBUG_2$')" ''
    done
done

tests_end
