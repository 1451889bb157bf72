# test_watch_wrong.sh - erroneous programs: verdict, cause, location
# tier: live, long
#
# Erroneous programs under libmqwatch: the verdict, that it is certain, the
# cause, the calls that do not fit, and where they are in the source.
#
# Runs some of them, each with one MPI; all with both if MQ_ALL_PROGRAMS is set.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

# Leaves a report of the program that runs, once it stands still: a rank says
# that it is ready before it makes its mistake.
look_at_program() {
    start_watched "$mpi" "$ranks" "$program" "$name"
    for _ in 1 2 3 4 5 6; do
        "$mqdump" --format json --pid "$pids" > "$scratch/$mpi/$name.json" \
            2> "$scratch/$mpi/$name.err"
        has_a_finding "$scratch/$mpi/$name.json" && break
    done
    stop_watch_job
}

has_a_finding() { grep '"verdict"' "$1" | grep -q -v -e none -e unknown; }

# Every tenth of the programs, from number FIRST on.
some_of() {
    awk -v first="$first" -v all="${MQ_ALL_PROGRAMS:+1}" \
        'all || NR % 10 == first' "$scratch/all"
}

first=1
for mpi in $found; do
    build_watched "$mpi" tests/watch/wrong.c
    "$program" > "$scratch/all"
    some_of > "$scratch/list"
    mkdir "$scratch/$mpi"
    while read -r name ranks _; do
        look_at_program
    done < "$scratch/list"
    python3 tests/watch/judge.py tests/watch/wrong.c "$scratch/$mpi" \
        < "$scratch/list" > "$scratch/verdicts"
    while read -r verdict said; do
        case $verdict in
        right) pass ;;
        *) echo "$said" | fail "under $mpi" ;;
        esac
    done < "$scratch/verdicts"
    first=$((first + 5))
done
tests_end
