# test_watch_fortran.sh - lines of Fortran programs, from records
# tier: live
#
# What a record has of a rank is where it calls MPI, not where the binding for
# Fortran does; and what calls MPI in C is where it is, too.  So it is after a
# call that a longjmp has left.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis
folder=$scratch/record
export MQWATCH_RECORD="$folder" MQWATCH_RECORD_SIZE=2

# build_fortran MPI NAME FLAGS: $program
build_fortran() {
    program=$scratch/$1-$2
    "mpicc.$1" -g -c -o "$scratch/in_c.o" "tests/watch/$2_in_c.c" \
        && "mpifort.$1" $3 -w -g -o "$program" "tests/watch/$2.F90" \
            "$scratch/in_c.o"
}

# The line of FILE with TEXT in it.
line_of() { echo "${1##*/}:$(grep -n "$2" "$1" | tail -n 1 | cut -d: -f1)"; }

# Where the ranks are, without what is above their MPI function.
places() {
    sed -n '/^stacks:/,/^$/p' "$scratch/said" | tr -s ' \n' ' ' \
        | grep -o 'rank [0-2]:[^:]* at [^ ]* > MPI_[A-Za-z]*' \
        | sed 's/:.* at / /'
}

# wanted NAME: where its ranks are to be.
wanted() {
    fortran=tests/watch/$1.F90
    c=tests/watch/$1_in_c.c
    echo "rank 0 $(line_of "$fortran" 'call MPI_Ssend') > MPI_Ssend"
    echo "rank 1 $(line_of "$fortran" 'call MPI_Barrier') > MPI_Barrier"
    echo "rank 2 $(line_of "$c" 'MPI_Barrier') > MPI_Barrier"
}

look() {
    "$mqdump" "$folder" > "$scratch/said" 2>&1
    places > "$scratch/places"
}

are_there() { look; cmp -s "$scratch/places" "$scratch/wanted"; }

# check_lines MPI NAME FLAGS
check_lines() {
    if ! build_fortran "$@" > "$scratch/log" 2>&1; then
        skip "$2.F90 $3 under $1" "no Fortran"
        return
    fi
    rm -rf "$folder"
    mkdir "$folder"
    wanted "$2" > "$scratch/wanted"
    start_watched "$1" 3 "$program"
    wait_until are_there
    # shellcheck disable=SC2046
    kill -9 $(echo "$pids" | tr , ' ')
    stop_watch_job
    look
    check_same "$1 $2 $3: lines" "$scratch/places" \
        "$scratch/wanted"
}

for mpi in $found; do
    for name in calls jumps; do
        check_lines "$mpi" "$name" ""
        check_lines "$mpi" "$name" -DMPI_F08
    done
done
tests_end
