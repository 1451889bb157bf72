# What the DLL gives to the debugger that loads it, and takes from it.

. tests/harness.sh

for dll in "$BUILD/libtvmpich.so" "$BUILD/clang/libtvmpich.so"; do
    if [ ! -e "$dll" ]; then
        skip "exports of $dll" "it was not built"
        continue
    fi
    nm -D --defined-only "$dll" | sed 's/.* //' | LC_ALL=C sort \
        > "$scratch/defined"
    check_same "names that $dll exports" "$scratch/defined" tests/exports.txt

    # What it may use of the C library: nothing here allocates or prints.
    nm -D --undefined-only "$dll" |
        sed -n 's/.* U \([^@]*\).*/\1/p' |
        grep -vxE 'mem(chr|cmp|cpy|move|set)|str(len|cmp|cpy|ncat|chr)' \
        > "$scratch/used"
    : > "$scratch/nothing"
    check_same "functions that $dll uses" "$scratch/used" "$scratch/nothing"
done

tests_end
