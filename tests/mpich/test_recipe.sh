# test_recipe.sh - the recipe for building the DLL inside MPICH
# tier: simulated
#
# The recipe of libtvmpich.7 for building the DLL inside MPICH: the files that it
# names are all that is needed, compiled as src/infoexport does.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# The files between "Copy" and "beside them".
files=$(sed -n '/^Copy$/,/^beside them/p' doc/libtvmpich.7 |
    tr -s ' ,' '\n\n' | grep '\.[ch]$')
check_contains "copied files" "$files" "dll_mpich.c"
for file in $files; do
    mkdir -p "$scratch/$(dirname "$file")"
    cp "$file" "$scratch/$file" || fail "$file is there" < /dev/null
done

# MPICH's own compiles with its flags for all of it, C of no special standard.
for compiler in gcc clang; do
    if ! command -v $compiler > "$scratch/which"; then
        skip "$compiler" "there is no $compiler"
        continue
    fi
    if (cd "$scratch" && $compiler -DHAVE_CONFIG_H -DMPICH_INFODLL_LOC='"x"' \
        -g -fPIC -I. -c dll_mpich.c &&
        $compiler -shared -o libtvmpich.so dll_mpich.o) > "$scratch/log" 2>&1
    then
        pass
    else
        fail "$compiler" < "$scratch/log"
    fi
    "$BUILD/mqdump" --raw --dll "$scratch/libtvmpich.so" \
        tests/data/genuine/pend-le64.0.mqsnap > "$scratch/shown" 2>&1
    check_same "$compiler: what it shows" "$scratch/shown" \
        tests/data/genuine/pend-le64.0.expect
done
tests_end
