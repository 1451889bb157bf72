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

# PROGRAM VERDICT RESOURCE, of which N is any number.
cat > "$scratch/table" << 'END'
two_mutexes Deadlock rank 1 (a mutex held by its thread that waits at
same_mutex Deadlock rank 1 (a mutex held by itself)
joined_waiter Deadlock (the exit of its thread that waits at
rwlock_of_writer Deadlock (a read-write lock held by its thread that waits at
rwlock_of_reader Held rank 1, which sleeps in futex, called by rwlock_of_reader
ended_owner Deadlock (a mutex that nobody can release: its owner, thread N,
owner_in_mpi Deadlock rank 1 in MPI_Recv
lost_signal Held rank 1, which sleeps in futex, called by lost_signal
shared_mutex Deadlock rank 0 (a mutex held by rank 0)
robust_mutex Deadlock rank 0 (a mutex held by rank 0)
inheriting_mutex Deadlock rank 0 (a mutex held by rank 0)
shared_rwlock Deadlock rank 0 (a read-write lock held by rank 0)
lock_of_process Deadlock -lock) held by rank 0)
lock_of_open_file Deadlock -lock) held by rank 0)
lock_of_whole_file Deadlock -lock) held by rank 0)
polled_lock_of_process Open for perhaps a file lock (
polled_lock_of_whole_file Open -lock) held by rank 0
lock_twice Deadlock -lock) that it holds itself through another descriptor)
lock_of_stranger Held -lock) held by process N (
own_pipe Deadlock (a pipe (pipe:[N]) whose other end is open in no
fifo Deadlock -fifo) that is open at its other end in rank 0)
polled_fifo Deadlock -fifo) that is open at its other end in rank 0)
selected_fifo Deadlock -fifo) that is open at its other end in rank 0)
full_fifo Deadlock -fifo) that is open at its other end in rank 0)
unopened_fifo Held for a pipe (
tcp Deadlock (a socket (socket:[N]) connected to rank 0)
local_socket Deadlock (a socket (socket:[N]) connected to rank 0)
own_socket Deadlock (a socket (socket:[N]) whose other end is open in no
terminal Held for a terminal (/dev/pts/N)
sleeping_child Held for the exit of a child, process N (sleep, asleep in
child_of_reader Deadlock (a pipe (of its child N, pipe:[N]) that is open
child_of_rank Deadlock -fifo) that is open at its other end in rank 0)
inherited_mutex Held for the exit of a child, process N (
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

# The report's words to $scratch/words.
look() {
    "$mqdump" --pid "$pids" > "$scratch/out" 2> "$scratch/err"
    status=$?
    tr -s ' \n' ' ' < "$scratch/out" | sed 's/[0-9][0-9][0-9]*/N/g
        s/\([:[]\)[0-9]\]/\1N]/g; s|/pts/[0-9]|/pts/N|' > "$scratch/words"
}

check_healthy() {
    for number in 1 2 3; do
        look
        if [ "$status" -ne 1 ] && [ -s "$scratch/words" ]; then
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
    case "$verdict $status $(cat "$scratch/words")" in
    "Deadlock 1 Deadlock (certain): "*"$resource"* | "Held 0 Held up: "*"$resource"* | \
        "Open 2 Not known: "*"$resource"* | "Open 0 Held up: "*"$resource"*) ;;
    *) false ;;
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
    elif is_shown || is_shown || is_shown; then
        pass
    else
        fail "$name: status $status" < "$scratch/out"
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
