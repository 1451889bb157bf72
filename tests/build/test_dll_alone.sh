# test_dll_alone.sh - each DLL is built by one command, of its own files
# tier: builds
#
# The DLL alone is built by one command, which libtvmpich.7 has, of its own files;
# so is the handle DLL.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

commands=$(sed -n 's/^\(cc .*\)$/\1/p' doc/libtvmpich.7)
check_equal 'commands of libtvmpich.7' "$(echo "$commands" | wc -l)" 2
cp -R ./*.[ch] mpich include "$scratch"
for compiler in gcc clang tcc; do
    if ! command -v $compiler > "$scratch/which"; then
        [ $compiler = tcc ] || skip "$compiler" "there is no $compiler"
        continue
    fi
    rm -f "$scratch/libtvmpich.so"
    (cd "$scratch" && eval "set -e
        $(echo "$commands" | sed "s/^cc/$compiler/")") > "$scratch/log" 2>&1 ||
        fail "$compiler" < "$scratch/log"
    "$BUILD/tests/kit/scenario" le64 > "$scratch/job.mqsnap"
    "$BUILD/mqdump" --raw --dll "$scratch/libtvmpich.so" \
        "$scratch/job.mqsnap" > "$scratch/got" 2>&1
    "$BUILD/mqdump" --raw --dll "$BUILD/libtvmpich.so" "$scratch/job.mqsnap" \
        > "$scratch/wanted" 2>&1
    check_same "DLL by $compiler" "$scratch/got" \
        "$scratch/wanted"
done

# A DLL in a debugger brings no library along but libc.
needed=$(objdump -p "$scratch/libtvmpich.so" | sed -n 's/.*NEEDED *//p')
check_equal "needed libraries" "$needed" "libc.so.6"

tests_end
