# test_watched.sh - calls, arguments and awaited operations
# tier: live, long
#
# What libmqwatch noted tells mqdump the call, its arguments and what is waited
# for, live and in a recording; it does not depend on the MPI.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

# What a digest says of calls, without the handles and addresses of a run.
calls() {
    sed -n -e '/^\(process\|strangers\|joined\|awaits\|argument\|send\|receive\|unexpected\) /!d' \
        -e 's/^argument \(comm\|requests\{0,1\}\) .*/argument \1 HANDLE/' \
        -e 's/ 0x[0-9a-f]*/ ADDRESS/' -e p "$1" | grep -v '^argument buf'
}

# Whether both ranks are in their calls and did not return from them.
are_told() {
    rm -rf "$scratch/recording"
    mkdir "$scratch/recording"
    $mqdump --digest "$scratch/digest" --record "$scratch/recording" \
        --pid "$pids" > "$scratch/said" 2>&1
    calls "$scratch/digest" > "$scratch/calls"
    cmp -s "$scratch/calls" "$golden" && [ "$(still_ranks)" -eq 2 ]
}

still_ranks() { grep -c "^looks .* still$" "$scratch/digest"; }

# check_calls MPI PROGRAM: as tests/data/golden/watched has it.
check_calls() {
    golden=tests/data/golden/watched/$2
    start_watched "$1" 2 "$program" "$2"
    look_until are_told
    stop_watch_job
    check_same "$2 under $1" "$scratch/calls" "$golden"
    check_equal "$2 under $1: still" "$(still_ranks)" 2
    $mqdump --digest "$scratch/again" "$scratch"/recording/*.mqsnap
    calls "$scratch/again" > "$scratch/calls"
    check_same "$2 under $1, recorded" "$scratch/calls" "$golden"
}

# The verdict on the digest
verdict() {
    $mqdump --format json "$scratch/digest" > "$scratch/shown" 2> "$scratch/said"
    verdict_in "$scratch/shown"
}

# stands_still MPI PROGRAM VERDICT: once its ranks have come to where they wait
stands_still() {
    start_watched "$1" 2 "$program" "$2"
    look_until has_verdict "$3"
    stop_watch_job
    check_equal "$2 under $1" "$(verdict_in "$scratch/shown")" "$3"
}

has_sessions() {
    echo '#include <mpi.h>
MPI_Session session;' | "mpicc.$1" -x c -fsyntax-only - 2> "$scratch/said"
}

# Nobody has called MPI_Init.  An MPI before version 4 has none.
check_session() {
    has_sessions "$1" || return 0
    build_watched "$1" tests/watch/session.c
    start_watched "$1" 2 "$program"
    look_until has_verdict deadlock
    stop_watch_job
    check_equal "sessions under $1" "$(verdict_in "$scratch/shown")" deadlock
}

for mpi in $found; do
    check_session "$mpi"
    build_watched "$mpi" tests/watch/hang.c
    for name in ring waitall waitany persistent sendrecv probe barrier \
        unexpected; do
        check_calls "$mpi" "$name"
    done

    # Rank 0 has not begun what rank 1 waits for.
    check_calls "$mpi" ibarrier
    check_equal "ibarrier under $mpi: verdict" "$(verdict)" deadlock
    check_contains "ibarrier under $mpi" "$($mqdump "$scratch/digest")" \
        "begun MPI_Ibarrier"

    # A communicator that is freed stays until its operations have ended.
    stands_still "$mpi" freed deadlock

    # Of requests that the library does not note nothing is claimed.
    stands_still "$mpi" generalized possible-deadlock
    stands_still "$mpi" partitioned possible-deadlock

    # A main thread that waits for the one that receives sends nothing.
    stands_still "$mpi" join_thread deadlock

    # Those of the MPI's own are no strangers: rank 1 has some, too.  Whether a
    # thread has called MPI before does not tell whether it will.
    for name in idle_thread used_thread; do
        check_calls "$mpi" $name
        check_equal "$name under $mpi: verdict" "$(verdict)" possible-deadlock
        $mqdump "$scratch/digest" > "$scratch/shown"
        check_golden "$name under $mpi" \
            "$(first_part "$scratch/shown" '[0-9]* [a-z ]*threads may call MPI')"
    done

    # Unless it sleeps for a time: then it goes on by itself.
    check_calls "$mpi" asleep_thread
    check_equal "asleep_thread under $mpi: verdict" "$(verdict)" held-up
done
tests_end
