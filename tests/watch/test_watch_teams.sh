# test_watch_teams.sh - waiting threads beside the representing thread
# tier: live, long
#
# Each thread that waits in MPI is told with its line and what it asked for, and
# those of OpenMP that wait for it; they make no healthy job stuck.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis
source=tests/watch/teams.c

# The first line of the source with TEXT in it.
line_of() { echo "teams.c:$(grep -n "$1" $source | head -n 1 | cut -d: -f1)"; }

receive=$(line_of 'MPI_Recv(&got, 1, MPI_INT, 1 - rank, tag')
beside=$(line_of 'MPI_Recv(&got, 1, MPI_INT, 1 - rank, \*')
barrier=$(line_of 'omp barrier')

for mpi in $found; do
    program=$scratch/$mpi-teams
    if ! "mpicc.$mpi" -w -g -O1 -fopenmp -o "$program" $source; then
        skip "threads under $mpi" "no OpenMP"
        continue
    fi
    for library in "$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so" ""; do
        with=${library:+ with libmqwatch}

        start_watched_with "$library" "$mpi" 2 "$program" cycle
        least="Deadlock (certain): ranks 0, 1"
        [ -n "$library" ] || reads_directly || least="ranks 0, 1"
        says "cycle under $mpi$with: all are blocked" "$least"
        check_contains "cycle under $mpi$with" "$(cat "$scratch/said")" \
            "rank 1: 1 thread in MPI_Recv at $beside,"
        check_contains "its tag" "$(cat "$scratch/said")" "tag 22"
        stop_watch_job

        for shape in sender two; do
            start_watched_with "$library" "$mpi" 2 "$program" $shape
            says "$shape under $mpi$with: all are blocked" "$least"
            stop_watch_job
        done

        start_watched_with "$library" "$mpi" 2 "$program" lost
        says "lost under $mpi$with" "rank 0: 1 thread in MPI_Recv at $beside,"
        check_equal "lost under $mpi$with: free" \
            "$(grep -c '^proof: \|[Dd]eadlock' "$scratch/said")" 0
        stop_watch_job

        start_watched_with "$library" "$mpi" 2 "$program" team
        says "team under $mpi$with" "in MPI_Recv at $receive"
        check_golden "team under $mpi$with" \
            "$(grep -o 'Deadlock (certain): ranks 0, 1' "$scratch/said")
$(grep -o "ranks 0, 1: 3 threads [^:]* at $barrier, [^:]* in MPI" \
            "$scratch/said")"
        stop_watch_job

        start_watched_with "$library" "$mpi" 2 "$program" relay
        if [ -n "$library" ]; then
            says "relay under $mpi$with" \
                "rank 0 waits for rank 1,"
        else
            has_said nothing
        fi
        check_equal "relay under $mpi$with: free" \
            "$(grep -c 'Deadlock\|^proof: ' "$scratch/said")" 0
        stop_watch_job

        for shape in patience timer; do
            start_watched_with "$library" "$mpi" 2 "$program" $shape
            says "$shape under $mpi$with" "Possible deadlock: ranks 0, 1"
            check_equal "$shape under $mpi$with: possible" \
                "$(grep -c '^Deadlock' "$scratch/said")" 0
            stop_watch_job
        done

        start_watched_with "$library" "$mpi" 2 "$program" vain
        says "vain under $mpi$with" "not certain: "
        stop_watch_job

        start_watched_with "$library" "$mpi" 2 "$program" slow
        for _ in 1 2 3; do
            has_said nothing
            check_equal "slow under $mpi$with" \
                "$(grep -c '^Deadlock' "$scratch/said")" 0
        done
        stop_watch_job

        start_watched_with "$library" "$mpi" 2 "$program" healthy
        for _ in 1 2 3; do
            has_said nothing
            check_equal "healthy under $mpi$with" \
                "$(grep -c 'eadlock' "$scratch/said")" 0
        done
        stop_watch_job
    done
done
tests_end
