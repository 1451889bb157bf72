# test_watch_functions.sh - all MPI functions are wrapped
# tier: simulated
#
# libmqwatch watches the functions that an MPI has, whatever version the MPI says
# to be of: Open MPI 5 says 3.1 and has most of 4.0.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
unset MAKEFLAGS MAKEOVERRIDES CFLAGS CPPFLAGS LDFLAGS

functions() { nm -D "$1" | awk '$2 == "T" { print $3 }' | sort; }

if [ -e "$BUILD/libmqwatch-mpich.so" ]; then
    cat > "$scratch/mpi.h" << 'END'
#include_next <mpi.h>
#undef MPI_VERSION
#define MPI_VERSION 3
END
    make -s watch BUILD="$scratch/build" NAME=mpich CFLAGS=-O0 \
        MPICC="mpicc.mpich -I$scratch" > "$scratch/err" 2>&1 \
        || fail "the library" < "$scratch/err"
    check_equal "MPI 3" \
        "$(functions "$scratch/build/libmqwatch-mpich.so")" \
        "$(functions "$BUILD/libmqwatch-mpich.so")"
    check_contains "more than MPI 3" \
        "$(functions "$scratch/build/libmqwatch-mpich.so")" "MPI_Session_init"
else
    skip "watched functions" "it takes MPICH"
fi

# Who reads a stack takes a part of one of its functions for that function, and
# so has to know what parts are called.
for library in "$BUILD"/libmqwatch-*.so; do
    for part in $(nm "$library" | awk '$2 == "T" { is[$3] }
        $2 == "t" { local[$3] }
        END { for (name in local) {
            part = name
            sub(/.*_/, "", part)
            whole = substr(name, 1, length(name) - length(part) - 1)
            if (whole in is && part !~ /[.]/) print part } }' | sort -u); do
        check_contains "$(basename "$library"): functions' $part" \
            "$(cat debugger/symbols/parameters.c)" "\"_$part\""
    done
done

tests_end
