# test_hangs.sh - hanging and healthy programs under installed MPIs
# tier: live, long
#
# Programs that hang, and programs that do not, on the MPIs that are here: what
# is told of them without debug information of the MPI, without queues, and
# whatever the program was compiled with, in C and in Fortran's bindings.
#
# HANGS=all in the environment tries everything, which takes half an hour; else
# a part of it, from the table below.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires gdb python3 x86-64 mpi

hanging="ring_recv ring_probe ring_ssend head_to_head_send ring_wait ring_waitall
    ring_waitany ring_sendrecv wrong_tag recv_against_barrier recv_any
    recv_from_finished missing_in_barrier missing_in_reduce mismatched
    mismatched_roots self_recv self_ssend chain other_communicator
    stuck_finalize in_place thread_recv lost_termination consumed_probe
    issend_wait gatherv_counts nested_order dup_alone wrong_neighbour
    ireduce_against_barrier sendrecv_partner ssend_against_barrier"

in_fortran="ring_recv ring_probe ring_ssend head_to_head_send ring_wait
    ring_waitall ring_waitany ring_sendrecv wrong_tag recv_against_barrier
    recv_any recv_from_finished missing_in_barrier missing_in_reduce
    mismatched_roots self_recv other_communicator"

# Every program by every compiler: PROGRAM SOURCE FLAGS MPI.
hanging_everywhere() {
    for mpi in $(mpis); do
        for flags in -O0 -O0-g -O2 -O2-g; do
            for program in $hanging; do
                echo "$program c $flags $mpi"
            done
        done
        for binding in module header f08; do
            for program in $in_fortran; do
                echo "$program $binding -O2 $mpi"
            done
        done
    done
}

# What is tried: PROGRAM RANKS SOURCE FLAGS HOW MPI LOOKS.
case ${HANGS:-} in
all)
    hanging_everywhere | awk '{
        split("job pid job launch", how)
        split("3 2 4 3 8", ranks)
        print $1, ranks[NR % 5 + 1], $2, $3, how[NR % 4 + 1], $4, 1 }' ;;
*)
    cat << 'END'
ring_recv 2 c -O0 pid openmpi 1
ring_sendrecv 3 c -O2 job mpich 1
recv_against_barrier 2 module -O2 job openmpi 1
ring_waitall 2 c -O0-g job mpich 1
mismatched_roots 2 c -O2 launch openmpi 1
head_to_head_send 2 c -O2-g pid mpich 1
other_communicator 3 c -O2 job openmpi 1
recv_from_finished 2 f08 -O2 job openmpi 1
wrong_tag 2 header -O2 launch mpich 1
ring_ssend 2 f08 -O0 pid mpich 1
ping_pong 2 c -O2 job openmpi 1
reductions 2 c -O2 job mpich 1
ring_waitany 2 module -O2 pid mpich 1
in_place 2 c -O2 job mpich 1
thread_recv 2 c -O2 job openmpi 1
thread_recv 2 c -O0 pid mpich 1
lost_termination 3 c -O2 job openmpi 1
sendrecv_partner 3 c -O2 job mpich 1
ssend_against_barrier 2 c -O2 pid openmpi 1
ring_sendrecv 2 c -O2-gsplit-dwarf job mpich 1
ring_recv 2 tool -O2 job mpich 1
END
    ;;
esac > "$scratch/table"

# compile FILE: makes the program.
compile() {
    case $source in
    c) set -- "mpicc.$mpi" -pthread hangs.c -o "$1" ;;
    tool) set -- "mpicc.$mpi" -pthread hangs.c tool.c -o "$1" ;;
    module) set -- "mpifort.$mpi" hangs.F90 -o "$1" ;;
    header) set -- "mpifort.$mpi" -DBINDING_HEADER hangs.F90 -o "$1" ;;
    f08) set -- "mpifort.$mpi" -DBINDING_F08 hangs.F90 -o "$1" ;;
    esac
    # shellcheck disable=SC2046
    (cd tests/programs/hangs && "$@" $(echo "$flags" | sed 's/-g/ -g/')) \
        > "$scratch/said" 2>&1
    compiled=$?
    rm -f "$scratch"/*.dwo      # where a program is that runs elsewhere
    return $compiled
}

# Whether all ranks are where they wait, or run.
are_there() {
    [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq "$ranks" ]
}

# Starts FILE, under mqdump if that shall launch it.
start() {
    rm -f "$scratch"/ready.* "$scratch/launched"
    mpi_under=
    [ "$how" != launch ] ||
        mpi_under="$mqdump --digest $scratch/launched --launch --"
    start_mpi "$mpi" "$ranks" "$file" "$program" "$scratch/ready"
    wait_until are_there
}

# Looks at the job and sets $wrong to what is wrong with what is told.
look() {
    case $how in
    pid) $mqdump --format json --pid "$(cat "$scratch"/ready.* | paste -sd, -)" \
        > "$scratch/report" 2> "$scratch/err" ;;
    job) $mqdump --format json --job "$starter" \
        > "$scratch/report" 2> "$scratch/err" ;;
    launch)
        kill -INT "$starter"
        wait "$starter"
        # What a starter writes goes where the report would.
        $mqdump --format json "$scratch/launched" \
            > "$scratch/report" 2> "$scratch/err" ;;
    esac
    wrong=$(python3 tests/programs/hangs/verdict.py "$program" "$ranks" "$mpi" \
        "$how" \
        < "$scratch/report")
}

# The same once more, if need be for a new job.
look_again() {
    if [ "$how" = launch ]; then
        stop_mpis
        start || return
    fi
    look
}

while read -r program ranks source flags how mpi looks; do
    name="$mpi $source $flags $program of $ranks by --$how"
    case $source in
    c | tool) compiler=mpicc.$mpi ;;
    *) compiler=mpifort.$mpi ;;
    esac
    if ! have "$compiler"; then
        skip "$name" "no $compiler"
        continue
    fi
    file=$scratch/hangs.$source$flags.$mpi
    if ! [ -e "$file" ] && ! compile "$file"; then
        fail "$name: it is compiled" < "$scratch/said"
        continue
    fi
    if ! start; then
        fail "$name: it starts" < "$scratch/starter"
        stop_mpis
        continue
    fi
    for number in $(seq "$looks"); do
        look
        # A rank that has said where it goes may be on its way there.
        case " $hanging " in
        *[[:space:]]"$program"[[:space:]]*) [ -z "$wrong" ] || look_again ;;
        esac
        check_equal "$name: look $number" "$wrong" ""
    done
    stop_mpis
done < "$scratch/table"

tests_end
