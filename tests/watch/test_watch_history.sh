# test_watch_history.sh - the latest collective operations of each communicator
# tier: live
#
# libmqwatch tells the latest collective operations of each communicator, with
# what members must give alike, also when one member has left them.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

waits_in_calls() {
    "$mqdump" --digest "$scratch/digest" --pid "$pids" > "$scratch/out" 2>&1
    [ "$(grep -c "^process . MPI_\($1\)$" "$scratch/digest")" = 2 ]
}

# look_at CASE CALLS: a digest, once both ranks are in one of the calls.
look_at() {
    start_watched "$mpi" 2 "$program" "$1"
    wait_until waits_in_calls "$2" || fail "$mpi, $1: the calls" \
        < "$scratch/digest"
    stop_watch_job
}

# lines RANK PATTERN WORDS: words of the lines of what is past that fit.
lines() {
    awk -v rank="$1" -v words="$3" '
        $1 == "process" { now = $2 }
        $1 == "past" && now == rank && $0 ~ pattern {
            n = split(words, w, " ")
            line = $(w[1])
            for (i = 2; i <= n; i++)
                line = line " " $(w[i])
            print line
        }' pattern="$2" "$scratch/digest"
}

for mpi in $found; do
    build_watched "$mpi" tests/watch/history.c

    look_at bcast 'Recv\|Barrier'
    check_equal "$mpi: rank 0" \
        "$(lines 0 . '2 3 4 8 9 11')" "MPI_Bcast 1 0 3 12 ended"
    check_equal "$mpi: rank 1" \
        "$(lines 1 . '2 3 4 8 9 11')" "MPI_Barrier 1 -1 -1 -1 "

    for call in MPI_Bcast MPI_Barrier; do
        check_equal "$mpi: where $call was called" \
            "$(grep -A 1 "^past $call " "$scratch/digest" \
                | sed -n 's,^at \(bcast_or_barrier\) [0-9]* [^ ]*/\(history.c [0-9]*\) % -$,\1 \2,p')" \
            "bcast_or_barrier history.c $(grep -n " $call(" \
                tests/watch/history.c | cut -d: -f1 | head -n 1)"
    done
    "$mqdump" "$scratch/digest" > "$scratch/shown"
    check_golden "$mpi: place" "$(first_part "$scratch/shown" \
        'rank 0 called MPI_Bcast at [^ ]*history.c:[0-9]* inst[a-z]*')"

    look_at gatherv 'Recv'
    check_equal "$mpi: what rank 1 gives" \
        "$(lines 1 Igatherv '2 3 4 8 9')" "MPI_Igatherv 1 0 5 20"
    given=$(lines 1 Igatherv 6) taken=$(lines 0 Igatherv 7)
    check_equal "$mpi: amounts" \
        "$(python3 -c "
given = $(lines 0 Igatherv 6) + ${given:-0}
taken = ${taken:-0} + $(lines 1 Igatherv 7)
print(given != 0, taken != 0, given % 2**64 == taken % 2**64)")" \
        "True True False"

    look_at many 'Recv'
    for rank in 0 1; do
        check_equal "$mpi: rank $rank, kept" \
            "$(lines $rank . 3 | sed -n '1p;$p' | tr '\n' ' ')" "36 99 "
    done
    check_equal "$mpi: equal counts" "$(lines 0 Allreduce '3 5')" \
        "$(lines 1 Allreduce '3 5')"
    check_equal "$mpi: different counts" \
        "$(lines 0 Allreduce 5 | sort -u | wc -l)" 2
    # Rank 0 gives 1 and 2, and takes 1 and 2: rank 1 gives it 2.
    check_equal "$mpi: pairs" "$(python3 -c "
given = $(lines 0 Alltoallv 6) + $(lines 1 Alltoallv 6)
taken = $(lines 0 Alltoallv 7) + $(lines 1 Alltoallv 7)
print(given % 2**64 == taken % 2**64)")" True
done
tests_end
