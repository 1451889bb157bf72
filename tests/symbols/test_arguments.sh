# test_arguments.sh - arguments from machine code, against real ones
# tier: live, long
#
# The arguments of MPI calls, told from the machine code of libraries that have
# no debug information: against what the programs passed.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires x86-64 mpi capstone

# Whether all ranks have told what they pass.
all_told() {
    [ "$(grep -l '^end' "$scratch"/files/* 2> /dev/null | wc -l)" -eq "$ranks" ]
}

# Of two files, what a rank passed and what is told of it: a line for each
# argument.
compare='
FNR == NR {
    if ($1 == "call")
        call = $2
    else if ($1 != "pid" && $1 != "end" && !($1 in passed))
        names[++count] = $1
    passed[$1] = $2
    next
}
$1 == "call" { is_called = $2 == call }
$1 == "argument" {
    value[$2] = $3
    degree[$2] = $4 == "sure" ? "certain" : "doubtful"
}
END {
    if (!is_called)
        print call " - never called -"
    for (i = 1; is_called && i <= count; i++) {
        name = names[i]
        print call, name, name in value ? degree[name] : "unknown",
            value[name] "" == passed[name] "" ? "right" : \
            "wrong: " value[name] ", not " passed[name]
    }
}'

# Whether the rank that wrote FILE is in its call; what is told is in
# $scratch/direct.
is_told() {
    pid=$(sed -n 's/^pid //p' "$1")
    kill -CONT "$pid"
    sleep 0.05
    kill -STOP "$pid"
    BUILD=$BUILD "$BUILD/tests/kit/target" read "$pid" > "$scratch/out" \
        2> "$scratch/said"
    awk "$compare" "$1" "$scratch/out" > "$scratch/direct"
    ! grep -q -- '- never' "$scratch/direct"
}

# look MPI RANKS PROGRAM FIRST: adds to $scratch/told what is told of each rank.
look() {
    ranks=$2
    mkdir -p "$scratch/files"
    rm -f "$scratch"/files/*
    start_mpi "$1" "$ranks" "$3" "$scratch/files/rank" "$4"
    if ! wait_until all_told && ! wait_until all_told; then
        fail "$1: $3 starts" < "$scratch/starter"
    fi
    # Those that wait would use the processor.
    # shellcheck disable=SC2046 # these are several words
    kill -STOP $(sed -n 's/^pid //p' "$scratch"/files/*)
    for file in "$scratch"/files/*; do
        wait_until is_told "$file" || fail "$1: $3" < "$scratch/said"
        sed "s/^/$1 ${3##*/}: /" "$scratch/direct" >> "$scratch/told"
    done
    # shellcheck disable=SC2046 # likewise
    kill -CONT $(sed -n 's/^pid //p' "$scratch"/files/*)
    stop_mpis
}

# count FILE: how many lines there are, certain, doubtful, and in percent
# certain and told.
count() {
    awk '{ all++ } / certain /{ certain++ } / doubtful /{ doubtful++ }
        END { print 0 + all, 0 + certain, 0 + doubtful,
              int(100 * certain / all),
              int(100 * (certain + doubtful) / all) }' "$1"
}

# rate NAME FILE LEAST: it has lines, of what is told so.
rate() {
    # shellcheck disable=SC2046 # these are several words
    set -- "$1" "$2" "$3" $(count "$2")
    echo "$1: of $4 arguments $5 are certain, $6 doubtful," \
        "$(($4 - $5 - $6)) unknown"
    check_equal "$1: certain and wrong" "$(grep 'certain wrong' "$2")" ""
    check_equal "$1: never called" "$(grep -- '- never' "$2")" ""
    check_equal "$1: at least $3 % are certain" $(($7 >= $3)) 1
    check_equal "$1: at least 90 % are told" $(($8 >= 90)) 1
}

for mpi in $(mpis); do
    : > "$scratch/told"
    "mpicc.$mpi" -O2 -s -o "$scratch/O2" tests/programs/hangs/arguments.c
    "mpicc.$mpi" -O1 -s -o "$scratch/O1" tests/programs/hangs/arguments.c
    "mpicc.$mpi" -O0 -g -o "$scratch/O0-g" tests/programs/hangs/arguments.c
    "mpicc.$mpi" -O2 -g -o "$scratch/O2-g" tests/programs/hangs/arguments.c
    for first in 0 5 10 15 20; do
        look "$mpi" 5 "$scratch/O2" $first
    done
    look "$mpi" 3 "$scratch/O1" 25
    look "$mpi" 3 "$scratch/O0-g" 0
    look "$mpi" 3 "$scratch/O2-g" 4
    if have "mpif90.$mpi"; then
        "mpif90.$mpi" -O2 -o "$scratch/fortran" -J "$scratch" \
            tests/programs/hangs/arguments.f90
        look "$mpi" 4 "$scratch/fortran" 0
    else
        skip "$mpi: arguments from Fortran" "no mpif90.$mpi"
    fi
    rate "$mpi" "$scratch/told" 90
    check_equal "$mpi: computed source" \
        "$(grep 'O1: MPI_Recv source' "$scratch/told" | uniq)" \
        "$mpi O1: MPI_Recv source certain right"
done

tests_end
0 1 0
