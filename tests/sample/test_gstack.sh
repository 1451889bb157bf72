# test_gstack.sh - the installed gstack
# tier: live
#
# The gstack that is installed: as mpirun runs it when its time is over, and by
# itself.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpi elfutils

mkdir -p "$scratch/bin" "$scratch/libexec"
cp -r package "$scratch/libexec/mqdump"
ln -s "$(realpath "$BUILD")/mqdump" "$scratch/bin/mqdump"
gstack=$scratch/libexec/mqdump/gstack

build() { "mpicc.$1" -w -g -O1 -o "$scratch/hangs" \
    tests/programs/hangs/hangs.c -pthread; }

# said RANK PART: that gstack printed PART of that rank
said() { check_contains "$case: $1" "$(tr -s '\t\n ' ' ' < "$scratch/$1")" "$2"; }

# what_is_said RANK: all that is wanted of a rank of ring_recv
what_is_said() {
    line=$(grep -n 'MPI_Recv(numbers, 4, MPI_INT, source, tag' \
        tests/programs/hangs/hangs.c |
        head -n 1 | cut -d : -f 1)
    said "$1" "rank $1 in MPI_Recv"
    said "$1" "at hangs.c:$line waits"
    said "$1" "for rank $((($1 + 3) % 4)) "
    sed -i 's/ (doubtful)//g' "$scratch/$1"    # as machine code tells them
    said "$1" "source $((($1 + 3) % 4)), tag 17, comm MPI_COMM_WORLD"
    said "$1" "> MPI_Recv"
    check_equal "$case: $1: lines" \
        "$(($(sed '/^the ranks/,$d' "$scratch/$1" | wc -l) <= 11))" 1
}

ready() { [ "$(find "$scratch" -name 'ready.[0-3]' | wc -l)" -eq 4 ]; }

# ---- Called by mpirun ------------------------------------------------------

# run_mpirun SECONDS
run_mpirun() {
    rm -f "$scratch"/ready.*
    PATH=$scratch/libexec/mqdump:$PATH mpirun.openmpi --oversubscribe -n 4 \
        --timeout "$1" --get-stack-traces \
        "$scratch/hangs" ring_recv "$scratch/ready" > "$scratch/out" 2>&1
    status=$?
}

together='the ranks of [^:]*: Possible deadlock: ranks 0, 1, 2, 3'
case="by mpirun"
if have mpirun.openmpi; then
    build openmpi
    run_mpirun 10
    ready || run_mpirun 100
    check_equal "$case: its status" "$status" 110
    for rank in 0 1 2 3; do
        sed -n "/STACK TRACE FOR PROC .*,$rank\\] /,/^$/p" "$scratch/out" |
            sed -e 1d -e 's/^	//' > "$scratch/$rank"
        what_is_said $rank
    done
    check_golden "$case" "$(first_part "$scratch/0" "$together")"
    check_equal "$case: once" "$(grep -c 'node together' "$scratch/out")" 1
else
    skip "$case" "no Open MPI"
fi

# ---- Called directly -------------------------------------------------------

ring_of() {
    tr '\0' '\n' < "/proc/$1/environ" |
        sed -n 's/^\(OMPI_COMM_WORLD\|PMI\)_RANK=//p'
}

for mpi in $(mpis); do
    case="by itself, $mpi"
    build "$mpi"
    rm -f "$scratch"/ready.*
    # What mpirun starts is a script, and the program what that starts.
    printf '%s\n' '#!/bin/sh' "'$scratch/hangs' ring_recv '$scratch/ready'" \
        'exit $?' > "$scratch/script"
    chmod +x "$scratch/script"
    start_mpi "$mpi" 4 "$scratch/script"
    wait_until ready || fail "$case: no job" < "$scratch/starter"
    for pid in $(pgrep -f "^/bin/sh $scratch/script"); do
        rank=$(ring_of "$pid")
        "$gstack" "$pid" > "$scratch/$rank"
        what_is_said "$rank"
    done
    check_golden "$case" "$(first_part "$scratch/0" "$together")"
    stop_mpis
done

# ---- What is no rank -------------------------------------------------------

case="no rank"
"$gstack" $$ > "$scratch/own"
check_golden "$case" "$(sed 's/: [^ ]* holds/: SHELL holds/' "$scratch/own")"
for words in "" x "1 2" -1; do
    # shellcheck disable=SC2086 # these are several words
    "$gstack" $words > "$scratch/out" 2>&1
    check_equal "gstack $words: status" $? 2
    check_equal "gstack $words" "$(cat "$scratch/out")" "usage: gstack PID"
done

tests_end
