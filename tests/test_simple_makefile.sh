# The DLL alone is built by a makefile that needs no GNU make and no folder but
# its own, and is the one that all else is built with.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh

cp Makefile.simple ./*.c ./*.h "$scratch"
for compiler in gcc clang tcc; do
    if ! command -v $compiler > "$scratch/which"; then
        [ $compiler = tcc ] || skip "$compiler" "there is no $compiler"
        continue
    fi
    rm -f "$scratch/libtvmpich.so"
    make -s -C "$scratch" -f Makefile.simple CC=$compiler \
        > "$scratch/log" 2>&1 || fail "$compiler" < "$scratch/log"
    "$BUILD/tests/scenario" le64 > "$scratch/job.mqsnap"
    "$BUILD/mqdump" --raw --dll "$scratch/libtvmpich.so" \
        "$scratch/job.mqsnap" > "$scratch/got" 2>&1
    "$BUILD/mqdump" --raw --dll "$BUILD/libtvmpich.so" "$scratch/job.mqsnap" \
        > "$scratch/wanted" 2>&1
    check_same "what the DLL by $compiler shows" "$scratch/got" \
        "$scratch/wanted"
done

# A DLL in a debugger brings no library along but libc.
needed=$(objdump -p "$scratch/libtvmpich.so" | sed -n 's/.*NEEDED *//p')
check_equal "the libraries that it needs" "$needed" "libc.so.6"

tests_end
