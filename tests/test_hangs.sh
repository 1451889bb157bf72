# Programs that hang, and programs that do not, on the MPIs that are here: what
# is told of them without debug information of the MPI, without queues, and
# whatever the program was compiled with.
#
# HANGS=all in the environment tries everything, which takes long, and looks at
# the healthy programs 200 times; else a part of it, from the table below.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh
. tests/live.sh
. tests/mpis.sh

if ! have gdb || ! have python3 || [ "$(uname -m)" != x86_64 ] ||
    [ -z "$(mpis)" ]
then
    skip "programs that hang" "it takes gdb, python3, an MPI and x86-64"
    tests_end
fi

hanging="ring_recv ring_probe ring_ssend head_to_head_send ring_wait ring_waitall
    ring_waitany ring_sendrecv wrong_tag recv_against_barrier recv_any
    recv_from_finished missing_in_barrier missing_in_reduce mismatched
    mismatched_roots self_recv self_ssend chain other_communicator
    stuck_finalize"
healthy="ping_pong shift barriers reductions workers computing"

# What is tried: PROGRAM RANKS FLAGS HOW MPI.
if [ "${HANGS:-}" = all ]; then
    for mpi in $(mpis); do
        for flags in -O0 -O0-g -O2 -O2-g; do
            for program in $hanging; do
                echo "$program 3 $flags job $mpi"
            done
        done
        for program in ring_recv ring_sendrecv recv_against_barrier; do
            echo "$program 8 -O2 pid $mpi"
            echo "$program 2 -O2 job $mpi"
        done
        for program in $healthy; do
            for look in 1 2 3 4 5 6 7 8; do
                echo "$program 4 -O2 job $mpi"
                echo "$program 2 -O2 pid $mpi"
            done
        done
    done
else
    cat << 'END'
ring_recv 3 -O2 job openmpi
ring_recv 2 -O0 pid mpich
ring_sendrecv 4 -O2 job mpich
recv_against_barrier 3 -O2 job openmpi
ring_waitall 2 -O0-g job mpich
mismatched_roots 3 -O2 job openmpi
head_to_head_send 2 -O2-g pid openmpi
other_communicator 3 -O2 job mpich
recv_from_finished 2 -O2 job openmpi
ping_pong 2 -O2 job openmpi
reductions 2 -O2 job mpich
END
fi > "$scratch/table"

# The file of the program for MPI, compiled with FLAGS.
compiled() {
    file=$scratch/hangs$2.$1
    # shellcheck disable=SC2046
    [ -e "$file" ] || "mpicc.$1" $(echo "$2" | sed 's/-g/ -g/') -o "$file" \
        tests/hangs/hangs.c > "$scratch/said" 2>&1 ||
        fail "$1: hangs.c is compiled" < "$scratch/said"
    echo "$file"
}

# Whether all ranks are where they wait, or run.
are_there() {
    [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq "$ranks" ]
}

# Looks at the job and sets $wrong to what is wrong with what is told.
look() {
    $mqdump --format json "--$how" "$target" > "$scratch/report" \
        2> "$scratch/err"
    wrong=$(python3 tests/hangs/verdict.py "$program" "$ranks" "$mpi" \
        < "$scratch/report")
}

while read -r program ranks flags how mpi; do
    have "mpicc.$mpi" || continue
    name="$mpi $flags $program of $ranks by --$how"
    file=$(compiled "$mpi" "$flags")
    rm -f "$scratch"/ready.*
    start_mpi "$mpi" "$ranks" "$file" "$program" "$scratch/ready"
    if ! wait_until are_there; then
        fail "$name: it starts" < "$scratch/starter"
        stop_mpis
        continue
    fi
    case $how in
    pid) target=$(cat "$scratch"/ready.* | paste -sd, -) ;;
    *) target=$starter ;;
    esac
    look
    # A rank that has said where it goes may be on its way there.
    case " $healthy " in
    *" $program "*) ;;
    *) [ -z "$wrong" ] || look ;;
    esac
    check_equal "$name" "$wrong" ""
    stop_mpis
done < "$scratch/table"

tests_end
