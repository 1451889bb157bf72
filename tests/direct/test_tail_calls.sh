# test_tail_calls.sh - MPI calls in tail position
# tier: live
#
# A function that returns what an MPI function returns jumps there, and leaves no
# frame: it is the one that calls MPI nevertheless, and its line is told.  Where
# more than one jump of it may have been taken, its caller's.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires elfutils x86-64 mpi

source=tests/programs/tail_calls.c

# line WORDS: that of the program which has them in its comment.
line() { grep -n "/\* $1 \*/" "$source" | cut -d : -f 1; }

is_stuck() {
    $mqdump --job "$starter" > "$scratch/out" 2> "$scratch/err"
    [ $? -eq 1 ]
}

# stack: the functions of rank 0 outside MPI with their lines, the outermost
# first, as mqdump shows them.
stack() {
    tr -s ' \n' ' ' < "$scratch/out" |
        sed -n 's/.* ranks 0, 1: \(.*\) > MPI_Ssend .*/\1/p' |
        sed "s,tests/programs/,,g"
}

# check_way MPI WAY STACK
check_way() {
    start_mpi "$1" 2 "$scratch/jumps.$1" "$2"
    if wait_until is_stuck; then
        check_equal "$1: $2" "$(stack)" "$3"
    else
        fail "$1: $2 is not stuck" < "$scratch/out"
    fi
    stop_mpis
}

# check_record MPI: what libmqwatch notes of such a call tells the same.
check_record() {
    library=$BUILD/libmqwatch-$1.so
    if [ ! -e "$library" ]; then
        skip "$1: a record" "there is no $library"
        return
    fi
    mkdir "$scratch/record.$1"
    mpi_under="env LD_PRELOAD=$(realpath "$library")
        MQWATCH_RECORD=$scratch/record.$1 MQWATCH_RECORD_SIZE=2"
    start_mpi "$1" 2 "$scratch/jumps.$1" pass
    mpi_under=
    if ! wait_until is_recorded "$scratch/record.$1"; then
        fail "$1: a record" < "$scratch/out"
    else
        pass
    fi
    stop_mpis
}

is_recorded() {
    $mqdump "$1" > "$scratch/out" 2> "$scratch/err"
    tr -s ' \n' ' ' < "$scratch/out" |
        grep -q "rank 0 in MPI_Ssend at [^ ]*tail_calls.c:$(line "in put") "
}

# at FUNCTION WORDS: as a place is shown.
at() { echo "$1 at tail_calls.c:$(line "$2")"; }

for mpi in $(mpis); do
    "mpicc.$mpi" -O2 -g "$source" -o "$scratch/jumps.$mpi" || break
    check_way "$mpi" pass "$(at main "main: pass") > $(at pass "in pass"
        ) > $(at put "in put")"
    check_way "$mpi" around "$(at main "main: around"
        ) > $(at around around) > $(at put_inside inside)"
    check_way "$mpi" either "$(at main "main: either")"
    check_way "$mpi" deep "$(at main "main: deep")"
    check_record "$mpi"
    "mpicc.$mpi" -O2 -fno-ipa-cp "$source" -o "$scratch/jumps.$mpi" || break
    check_way "$mpi" pass "main > pass"
    check_way "$mpi" plain "main > plain"
done
tests_end
