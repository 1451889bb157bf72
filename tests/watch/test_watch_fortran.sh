# test_watch_fortran.sh - the lines of programs in Fortran, from records alone
# tier: live
#
# What a record has of a rank is where it calls MPI, not where the binding for
# Fortran does; and what calls MPI in C is where it is, too.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis "lines in Fortran"
folder=$scratch/record
export MQWATCH_RECORD="$folder" MQWATCH_RECORD_SIZE=2

# build_fortran MPI FLAGS: $program
build_fortran() {
    program=$scratch/$1-calls
    "mpicc.$1" -g -c -o "$scratch/calls_in_c.o" tests/watch/calls_in_c.c \
        && "mpifort.$1" $2 -w -g -o "$program" tests/watch/calls.F90 \
            "$scratch/calls_in_c.o"
}

# The line of FILE with TEXT in it.
line_of() { echo "$1:$(grep -n "$2" "$1" | tail -n 1 | cut -d: -f1)"; }

# Where the ranks are, without what is above their MPI function.
places() {
    sed -n '/^stacks:/,/^$/p' "$scratch/said" | tr -s ' \n' ' ' \
        | grep -o 'rank [0-2]:[^:]* at [^ ]* > MPI_[A-Za-z]*' \
        | sed 's/:.* at / /'
}

{
    echo "rank 0 $(line_of tests/watch/calls.F90 'call MPI_Ssend') > MPI_Ssend"
    echo "rank 1 $(line_of tests/watch/calls.F90 'call MPI_Barrier')" \
        "> MPI_Barrier"
    echo "rank 2 $(line_of tests/watch/calls_in_c.c 'MPI_Barrier') >" \
        "MPI_Barrier"
} > "$scratch/wanted"

for mpi in $found; do
    for flags in "" -DMPI_F08; do
        if ! build_fortran "$mpi" "$flags" > "$scratch/log" 2>&1; then
            skip "calls.F90 $flags under $mpi" "no Fortran"
            continue
        fi
        rm -rf "$folder"
        mkdir "$folder"
        start_watched "$mpi" 3 "$program"
        # shellcheck disable=SC2046
        kill -9 $(echo "$pids" | tr , ' ')
        stop_watch_job
        "$mqdump" "$folder" > "$scratch/said" 2>&1
        places > "$scratch/places"
        check_same "$mpi $flags: where its ranks were" "$scratch/places" \
            "$scratch/wanted"
    done
done
tests_end
