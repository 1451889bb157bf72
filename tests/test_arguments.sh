# The arguments of MPI calls, told from the machine code of libraries that have
# no debug information: against what the programs passed.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh
. tests/live.sh
. tests/mpis.sh

if ! have gdb || [ "$(uname -m)" != x86_64 ] || [ -z "$(mpis)" ]; then
    skip "arguments" "it takes gdb, an MPI and x86-64"
    tests_end
fi

# Whether all ranks have told what they pass.
all_told() {
    [ "$(grep -l '^end' "$scratch"/files/* 2> /dev/null | wc -l)" -eq "$ranks" ]
}

# look MPI RANKS PROGRAM FIRST: adds to $scratch/told what can be told of each
# rank.
look() {
    ranks=$2
    mkdir -p "$scratch/files"
    rm -f "$scratch"/files/*
    start_mpi "$1" "$ranks" "$3" "$scratch/files/rank" "$4"
    if ! wait_until all_told && ! wait_until all_told; then
        fail "$1: $3 starts" < "$scratch/starter"
    fi
    # While gdb starts they would use the processor.
    # shellcheck disable=SC2046 # these are several words
    kill -STOP $(sed -n 's/^pid //p' "$scratch"/files/*)
    MQDUMP_FOLDER=$BUILD FILES="$scratch/files" \
        gdb -nx -batch -x tests/hangs/arguments.py > "$scratch/out" 2>&1
    stop_mpis
    grep '^argument' "$scratch/out" > "$scratch/new"
    [ -s "$scratch/new" ] || fail "$1: $3" < "$scratch/out"
    sed "s/^argument/$1 ${3##*/}:/" "$scratch/new" >> "$scratch/told"
}

for mpi in $(mpis); do
    : > "$scratch/told"
    "mpicc.$mpi" -O2 -s -o "$scratch/O2" tests/hangs/arguments.c
    "mpicc.$mpi" -O0 -g -o "$scratch/O0-g" tests/hangs/arguments.c
    "mpicc.$mpi" -O2 -g -o "$scratch/O2-g" tests/hangs/arguments.c
    for first in 0 5 10 15 20; do
        look "$mpi" 5 "$scratch/O2" $first
    done
    look "$mpi" 3 "$scratch/O0-g" 0
    look "$mpi" 3 "$scratch/O2-g" 4
    if have "mpif90.$mpi"; then
        "mpif90.$mpi" -O2 -o "$scratch/fortran" -J "$scratch" \
            tests/hangs/arguments.f90
        look "$mpi" 4 "$scratch/fortran" 0
    else
        skip "$mpi: arguments from Fortran" "mpif90.$mpi is not here"
    fi
    set -- $(awk '{ all++ } / certain /{ certain++ } / doubtful /{ doubtful++ }
        END { print 0 + all, 0 + certain, 0 + doubtful,
              0 + int(100 * certain / all),
              0 + int(100 * (certain + doubtful) / all) }' "$scratch/told")
    echo "$mpi: of $1 arguments $2 are certain, $3 doubtful," \
        "$(($1 - $2 - $3)) unknown"
    check_equal "$mpi: certain and wrong" \
        "$(grep 'certain wrong' "$scratch/told")" ""
    check_equal "$mpi: never called" \
        "$(grep -- '- never' "$scratch/told")" ""
    check_equal "$mpi: at least 70 % are certain" $(($4 >= 70)) 1
    check_equal "$mpi: at least 90 % are told" $(($5 >= 90)) 1
done

tests_end
0 1 0
