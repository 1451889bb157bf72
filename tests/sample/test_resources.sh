# test_resources.sh - ranks that wait for locks, files, pipes, children
# tier: live, long
#
# Each program of tests/programs/hangs/resources.c: one that hangs is not
# denied, its verdict and the resource with its holder are as the table has
# them, and one that goes on is never accused.  HANGS=all in the environment
# tries each with each MPI, also with libmqwatch.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpi elfutils

# PROGRAM VERDICT RESOURCE: its kind, and how its holder is known, in a digest;
# or -, where rank 1 is the cause that is named.
cat > "$scratch/table" << 'END'
two_mutexes Deadlock mutex thread
same_mutex Deadlock mutex thread
joined_waiter Deadlock thread thread
rwlock_of_writer Deadlock rwlock thread
rwlock_of_reader Held -
ended_owner Deadlock mutex nobody
owner_in_mpi Deadlock mutex thread
lost_signal Held -
shared_mutex Deadlock mutex process 0
robust_mutex Deadlock mutex process 0
inheriting_mutex Deadlock mutex process 0
shared_rwlock Deadlock rwlock process 0
lock_of_process Deadlock file-lock process 0
lock_of_open_file Deadlock file-lock process 0
lock_of_whole_file Deadlock file-lock process 0
lock_beside_thread Possible file-lock process 0
polled_lock_of_process Open polled-lock process 0
polled_lock_of_whole_file Open polled-lock process 0
lock_twice Deadlock file-lock nobody
lock_of_stranger Held file-lock process -1
own_pipe Deadlock pipe nobody
fifo Possible pipe process 0
polled_fifo Possible pipe process 0
selected_fifo Possible pipe process 0
full_fifo Possible pipe process 0
unopened_fifo Held pipe
tcp Deadlock socket process 0
local_socket Deadlock socket process 0
own_socket Deadlock socket nobody
terminal Held terminal
sleeping_child Held child process -1
child_of_reader Deadlock pipe thread
child_of_rank Possible pipe process 0
inherited_mutex Held child process -1
brief_lock_of_process Healthy
brief_lock_of_whole_file Healthy
busy_fifo Healthy
busy_socket Healthy
busy_children Healthy
contended_mutex Healthy
sleeping_owner Healthy
signalled Healthy
contended_shared_mutex Healthy
END

# The verdict, and the exit status with it.
look() {
    "$mqdump" --digest "$scratch/digest" --pid "$pids" > "$scratch/out" \
        2> "$scratch/err"
    "$mqdump" --format json "$scratch/digest" > "$scratch/out" \
        2>> "$scratch/err"
    status=$?
    said=$(verdict_in "$scratch/out")
}

check_healthy() {
    for number in 1 2 3; do
        look
        if [ "$status" -ne 1 ] && [ -n "$said" ]; then
            pass
        else
            fail "$1: look $number, status $status" < "$scratch/out"
        fi
    done
}

# Whether the look shows $verdict and $resource; a rank that has said where it
# goes may be on its way there.
is_shown() {
    look
    case $verdict,$said,$status in
    Deadlock,deadlock,1 | Possible,possible-deadlock,1) ;;
    Held,held-up,0 | Open,unknown,2 | Open,held-up,0) ;;
    *) return 1 ;;
    esac
    case $resource in
    -) sed '/"findings"/q' "$scratch/out" | grep -q '"ranks": \[1\]' ;;
    *) grep -q "^resource $resource " "$scratch/digest" ;;
    esac
}

check_program() {
    rm -f "$scratch"/ready*
    name="$mpi${watched:+, watched}: $program"
    set --
    [ -z "$watched" ] ||
        set -- env LD_PRELOAD="$PWD/$BUILD/libmqwatch-$mpi.so"
    start_ready "$mpi" 2 "$@" "$scratch/resources.$mpi" "$program" \
        "$scratch/ready"
    if [ "$verdict" = Healthy ]; then
        check_healthy "$name"
    elif look_until is_shown; then
        pass
    else
        grep '^resource' "$scratch/digest" | cat - "$scratch/out" |
            fail "$name: $said, $status"
    fi
    stop_mpis
}

turn=0
for mpi in $(mpis); do
    "mpicc.$mpi" -std=gnu99 -g -I. -o "$scratch/resources.$mpi" \
        tests/programs/hangs/resources.c -pthread || exit
    turn=$((turn + 1))
    row=0
    while read -r program verdict resource; do
        row=$((row + 1))
        for watched in '' yes; do
            if [ "${HANGS:-}" = all ] ||
                { [ -z "$watched" ] && [ $(((row + turn) % 2)) -eq 0 ]; }; then
                check_program < /dev/null
            fi
        done
    done < "$scratch/table"
done
tests_end
