# test_watch_refused.sh - errors of invalid calls are unchanged
# tier: live, long
#
# A call with a wrong argument has the same error class, or ends the program by
# the same signal, with libmqwatch and without it: each call that is watched,
# with each argument wrong in turn.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis

cat > "$scratch/rows.c" << 'END'
#include <limits.h>
#include <mpi.h>
rows_begin_here
#include "watch/calls.def"
END

# make_calls HOW PRELOAD: HOW is what becomes of errors.
make_calls() {
    mkdir -p "$scratch/$mpi.$1${2:+.with}"
    (cd "$scratch/$mpi.$1${2:+.with}" && LD_PRELOAD=$2 timeout 600 \
        "../$mpi" "$1" 2> err < /dev/null | sort > said)
}

# A group that is none ends the program either way: libmqwatch asks MPI for its
# ranks, which refuses it, where Open MPI itself follows it to nowhere.
differs() {
    diff "$scratch/$mpi.$how/said" "$scratch/$mpi.$how.with/said" |
        grep -v '^[<>] MPI_Win_start argument 1: WRONG(MPI_Group): '
}

for mpi in $found; do
    library=$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so
    "mpicc.$mpi" -E -P -I. -include "$BUILD/objects/watch-$mpi/watch/mpi_found.h" \
        "$scratch/rows.c" > "$scratch/rows" \
        && python3 tests/watch/refused.py "$scratch/rows" \
            > "$scratch/$mpi.c" \
        && "mpicc.$mpi" -w -I. -o "$scratch/$mpi" "$scratch/$mpi.c" \
            2> "$scratch/err" || fail "$mpi: the program" < "$scratch/err"
    for how in return fatal; do
        make_calls $how "" &
        make_calls $how "$library" &
    done
    wait
    for how in return fatal; do
        # What a wrong call overwrites hangs on where things happen to lie.
        differs > "$scratch/once"
        if [ -s "$scratch/once" ]; then
            make_calls $how ""
            make_calls $how "$library"
        fi
        check_equal "$mpi, errors $how: calls" \
            "$(grep -c : "$scratch/$mpi.$how.with/said")" \
            "$(grep -c '^    { "MPI' "$scratch/$mpi.c")"
        check_equal "$mpi, errors $how: what differs" \
            "$(differs | grep '^[<>]' | grep -Fx -f "$scratch/once")" ""
    done
done
tests_end
