# test_knowledge.sh - more evidence never weakens a report
# tier: live, long
#
# Programs that hang, on the MPIs that are here, with nothing prepared and under
# libmqwatch: what is known more never makes the report say less, and none is
# said to be well.
#
# Runs some programs, each with one MPI; with every MPI those that HANGS in the
# environment names, or all of them if that is "all".  HANGS_KEPT may be a
# folder for the digest of each look, which has to be there.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

kept=${HANGS_KEPT:-$scratch}

requires gdb python3 x86-64 mpi

# By program: ranks; the one that holds the others up outside MPI, if one does;
# what has to be said under libmqwatch at least; the MPIs under which it hangs,
# if it does not under all; the MPI with which it is run always.
cat > "$scratch/programs" << 'END'
dup_against_recv            3 - certain  -     mpich
nested_order                2 - certain  -     openmpi
bcast_passed                2 - certain  -     -
bcast_against_barrier       2 - certain  -     -
iallgather_against_ireduce  3 - certain  mpich -
ibcast_against_ialltoall    2 - certain  -     -
igather_and_finalize        2 - certain  -     mpich
alltoallv_counts            2 - certain  -     -
gatherv_counts              2 - certain  -     -
wildcard_took_it            3 - certain  -     -
ring_probe                  2 - certain  -     -
ring_send                   2 - certain  mpich,openmpi -
poll_testall                2 - possible -     -
poll_testany                2 - possible -     -
poll_iprobe                 2 - possible -     -
ring_waitany                2 - certain  -     -
ring_waitsome               3 - certain  -     -
thread_recv                 2 - certain  -     -
thread_mutex                2 - certain  -     mpich
thread_condition            2 - certain  -     -
thread_semaphore            2 - certain  -     -
thread_spin                 2 - unknown  -     -
thread_naps                 2 - possible -     -
thread_openmp               2 - certain  -     -
stuck_finalize              2 - certain  -     -
disconnect_dup              2 - certain  -     -
many_tags                   2 - certain  -     -
held_by_open                3 2 certain  -     mpich
held_by_loop                3 2 certain  -     -
missing_in_barrier          3 2 certain  -     -
finalize_beside             3 - certain  -     -
two_sites                   2 - certain  -     mpich
mismatched                  3 - certain  -     -
cart_against_sendrecv       3 - certain  -     -
odd_tag                     3 - certain  -     -
odd_ring                    4 - certain  -     openmpi
ring_ssend                  2 - certain  -     -
inter_recv                  3 - certain  -     openmpi
inter_bcast                 3 - certain  mpich,openmpi -
inter_create_tags           3 - possible -     -
inter_barrier               3 - certain  -     -
fence_missing               3 - possible -     -
window_free                 3 - certain  -     -
write_all                   3 - certain  -     -
file_close                  3 - certain  -     openmpi
idup_missing                3 - certain  -     -
lock_kept                   3 - possible -     -
split_missing               3 - certain  -     -
neighbor_missing            3 - certain  -     -
shift_error                 3 - certain  -     -
persistent_ring             3 - certain  -     -
poll_ibarrier               3 - possible -     -
poll_yield                  3 - possible -     -
poll_and_compute            3 - possible -     -
ask_anew                    3 - possible -     openmpi
ask_and_free                3 - possible -     -
thread_pipe                 3 - possible -     -
spin_on_flag                3 - possible -     -
spin_on_swap                3 - possible -     openmpi
spin_on_fetch               3 - possible -     -
accept_alone                3 - possible openmpi openmpi
poll_improbe                3 - possible -     mpich
poll_each                   3 - possible -     openmpi
poll_each_started           3 - possible -     -
in_handler                  3 1 certain  -     mpich
in_operation                3 - possible -     -
waitany_joined              3 - certain  -     -
waitall_joined              2 - certain  -     openmpi
scatter_none                2 - certain  mpich -
thread_barriers             2 - certain  -     -
poll_memory                 2 - unknown  mpich -
poll_wide                   3 - possible -     mpich
ending_callback             2 1 possible -     -
END

# What is tried: PROGRAM RANKS HOLDER LEAST MPI.
while read -r program ranks holder least only always; do
    case " ${HANGS:-all} " in
    *" all "* | *" $program "*) ;;
    *) continue ;;
    esac
    for mpi in $(mpis); do
        case ,$only, in
        ,-, | *,"${mpi#wheel-}",*)
            [ -z "$HANGS" ] && [ "$always" != "$mpi" ] ||
                echo "$program $ranks $holder $least $mpi" ;;
        esac
    done
done < "$scratch/programs" > "$scratch/table"

for mpi in $(mpis); do
    for file in hangs rarer; do
        (cd tests/programs/hangs && "mpicc.$mpi" -w -O2 -g -pthread -fopenmp $file.c \
            -o "$scratch/$file.$mpi") > "$scratch/said" 2>&1 ||
            fail "$file.c: compiled, $mpi" < "$scratch/said"
    done
done

are_there() {
    [ "$(cat "$scratch"/ready.? 2> /dev/null | wc -l)" -eq "$ranks" ]
}

# What makes each MPI wait for the receiver of a small message.
unbuffered="UCX_RNDV_THRESH=0 MPIR_CVAR_NOLOCAL=1 OMPI_MCA_pml=ob1
    OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_eager_limit=80"

# start PRELOADED
start() {
    rm -f "$scratch"/ready.*
    settings= file=hangs
    [ "$program" != ring_send ] || settings=$unbuffered
    ! grep -q "\"$program\"" tests/programs/hangs/rarer.c || file=rarer
    # shellcheck disable=SC2086 # these are several words
    start_mpi "$mpi" "$ranks" env LD_PRELOAD="$1" $settings \
        "$scratch/$file.$mpi" "$program" "$scratch/ready"
    wait_until are_there || fail "$mpi $program starts" < "$scratch/starter"
}

# level WORD: its place among the words of said.py.
level() {
    case $1 in
    none) echo 1 ;;
    held-up) echo 2 ;;
    unknown) echo 3 ;;
    possible) echo 4 ;;
    certain) echo 5 ;;
    *) echo 0 ;;
    esac
}

better_of() {
    if [ "$(level "$1")" -gt "$(level "$2")" ]; then
        echo "$1"
    else
        echo "$2"
    fi
}

# look KNOWLEDGE LEAST: sets $said, and whether that is LEAST or better.
look() {
    name="$mpi $program of $ranks, $1"
    digest=$kept/$mpi.$program.$1.mqdigest
    timeout 300 $mqdump --digest "$digest" --job "$starter" \
        > "$scratch/text" 2> "$scratch/err"
    $mqdump --format json "$digest" > "$scratch/report" 2>> "$scratch/err"
    $mqdump "$digest" > "$scratch/text" 2>> "$scratch/err"
    status=$?
    # shellcheck disable=SC2086 # there may be no holder
    python3 tests/programs/hangs/said.py "$scratch/report" "$scratch/text" \
        $holder \
        > "$scratch/said" 2>> "$scratch/err"
    said=$(head -n 1 "$scratch/said")
    [ "$(level "$said")" -ge "$(level "$2")" ]
}

# Where all ranks are, as the latest look has found them.
places() { grep '^process \|^thread \|^frame ' "$digest"; }

# look_while_moving KNOWLEDGE LEAST: a rank that has said where it goes may be on
# its way there: they are looked at until three looks find them where they were,
# but not for ever if one moves.
look_while_moving() {
    alike=0 looks=0 seen=
    until look "$1" "$2"; do
        now=$(places)
        [ "$now" = "$seen" ] || alike=0
        seen=$now alike=$((alike + 1)) looks=$((looks + 1))
        [ $alike -lt 3 ] && [ $looks -lt 20 ] || return 1
    done
}

# check KNOWLEDGE LEAST
check() {
    look_while_moving "$1" "$2"
    better=$?
    [ -z "$HANGS_KEPT" ] || echo "$name: $status $said" >> "$kept/table"
    if [ $better -ne 0 ] || [ "$said" = none ] ||
        [ "$status,$holder" = 0, ]; then
        echo "mqdump ends with $status: $said, at least $2 is wanted" |
            cat - "$scratch/text" "$scratch/err" | fail "$name"
    else
        pass
    fi
    check_equal "$name: ranks" \
        "$(sed 1d "$scratch/said")" ""
    [ "$program,$1,$better" != odd_ring,watched,0 ] ||
        check_contains "$name: the odd one" "$(tr -s '\n ' ' ' \
            < "$scratch/text")" 'with tag 59, and 3 other ranks with 5'
    [ "$program,$better" != two_sites,0 ] ||
        check_contains "$name: lines" "$(tr -s '\n ' ' ' < "$scratch/text")" \
            "(rank 0 in MPI_Recv at "
    [ "$1" != watched ] ||
        check_equal "$name: communicators have names" \
            "$(grep 'called with.*comm 0x' "$scratch/text")" ""
}

while read -r program ranks holder least mpi; do
    [ "$holder" != - ] || holder=
    start ""
    # Whom MPI_Finalize keeps, his call alone tells, and polls that are far apart
    # are polls.
    case $program in
    *finalize* | poll_wide) check unprepared possible ;;
    *) check unprepared unknown ;;
    esac
    before=$said
    stop_mpis
    start "$(watch_library "$mpi")"
    check watched "$(better_of "$before" "$least")"
    stop_mpis
done < "$scratch/table"

tests_end
