# test_planted_live.sh - decoy memory is not taken for queues
# tier: live, long
#
# A job that has copies of freed requests, of whole memories, and of libraries,
# is no certain deadlock while it is healthy, and is told to be stuck, or not
# known, when it hangs.  HANGS=all tries all of state_planted.c, which takes a
# quarter of an hour; without it some of each kind are tried, each in one way.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires x86-64 mpi

# start MPI TRANSPORT VARIANT HOW
start() {
    state=$scratch/planted.$1
    case $3 in names*) state=$state.names ;; esac
    if [ "$2" = ucx ]; then
        start_over_ucx "$1" 2 "$state" "$scratch/ready" "$3" "$4"
    else
        start_ready "$1" 2 --mca pml ob1 "$state" "$scratch/ready" "$3" "$4"
    fi
}

look() {
    $mqdump --format json --pid "$pids" > "$scratch/shown" 2> "$scratch/err"
    exit_status=$?
    verdict=$(verdict_in "$scratch/shown")
}

# check_healthy NAME: it goes on, and nobody says that it cannot.
check_healthy() {
    wrong=
    for _ in 1 2 3; do
        look
        case $verdict in deadlock | stuck | '') wrong="$wrong $verdict." ;; esac
    done
    check_equal "$1, healthy: wrong" "$wrong" ""
    [ -z "${FIGURES:-}" ] || echo "$1 healthy $verdict $exit_status"
    : > "$scratch/ready.go"
    if wait_until has_ended "$starter"; then
        pass
    else
        fail "$1, healthy: ends" < "$scratch/starter"
    fi
    rm -f "$scratch/ready.go"
}

# Whether both ranks have come to their receives, as the latest look shows.
both_receive() {
    look
    [ "$(sed '1,/"processes"/d' "$scratch/shown" |
        grep -c '^      "call": "MPI_Recv"')" -eq 2 ]
}

# check_hung NAME: it is not denied, whether the queues are believed or not.
check_hung() {
    look_until both_receive || fail "$1, hung: calls" < "$scratch/shown"
    case $exit_status in
    1 | 2) pass ;;
    *) fail "$1, hung: 1 or 2 is wanted, got $exit_status" < "$scratch/shown" ;;
    esac
    [ -z "${FIGURES:-}" ] || echo "$1 hung $verdict $exit_status"
}

# check_queues NAME: the library's lists are read, not those of the program.
check_queues() {
    $mqdump --raw --pid "$pids" > "$scratch/raw" 2> "$scratch/err"
    check_equal "$1: receives on lists" \
        "$(grep -c '^receive status=pending .* tag=9 ' "$scratch/raw")" 2
}

for way in ${WAYS:-openmpi:ob1 openmpi:ucx mpich:ucx}; do
    mpi=${way%:*} transport=${way#*:}
    have "mpicc.$mpi" && have "mpirun.$mpi" || continue
    "mpicc.$mpi" -std=gnu99 -w -o "$scratch/planted.$mpi" \
        tests/queues/state_planted.c -ldl
    "mpicc.$mpi" -std=gnu99 -w -DAS_IN_LIBRARY -o \
        "$scratch/planted.$mpi.names" tests/queues/state_planted.c -ldl
    case $way in
    openmpi:ob1) some='own_moved names requests_freed' ;;
    openmpi:ucx) some='own_freed names libucp' ;;
    *) some='own_moved other libucp' ;;
    esac
    variants=${HANGS:-$some}
    [ "$variants" != all ] || variants=$("$scratch/planted.$mpi")
    for variant in $variants; do
        start "$mpi" "$transport" "$variant" healthy
        check_healthy "$way, $variant"
        stop_mpis
        start "$mpi" "$transport" "$variant" hung
        check_hung "$way, $variant"
        case $way,$variant in
        openmpi*,names*) check_queues "$way, $variant" ;;
        esac
        stop_mpis
        rm -rf "$scratch"/ready[.-]*
    done
done

tests_end
