# test_fortran_names.sh - fortran.def has what calls.def has
# tier: simulated
#
# Each function that is watched is one in Fortran, too.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# names FILE MACRO...: what the macros are called with in it, in small letters.
names() {
    {
        for macro in "$2" $3; do
            echo "#define $macro(name, ...) @name"
        done
        sed -n 's/^#ifdef \(HAS_.*\)/#define \1/p' watch/*.def \
            | grep -v LARGE_COUNTS
        echo "#include \"$1\""
    } | "${CC:-cc}" -E -P -I. - | tr 'A-Z @' 'a-z\n\n' | grep -x '[a-z0-9_][a-z0-9_]*' \
        | sort
}

names watch/calls.def CALL MESSAGE > "$scratch/wanted"
names watch/fortran.def FORTRAN > "$scratch/names"
check_same "the functions in Fortran" "$scratch/names" "$scratch/wanted"
tests_end
