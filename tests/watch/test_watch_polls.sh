# test_watch_polls.sh - calls between two polls
# tier: live
#
# A watched process that polls with two calls, halted where one of them begins:
# the call, its line and its arguments are all of the other one.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/watch/jobs.sh

find_mpis
requires gcore python3

line_of() { sed -n "/$1(/=" tests/watch/poll_two.c; }

# Prints the call of the only process, its line, and its tag or requests.
tell_call() {
    python3 -c '
import json, sys
it = json.load(sys.stdin)["processes"][0]
about = [one["name"] for one in it["arguments"]
         if one["name"] in ("tag", "request")]
print(it["call"], it["site"] and it["site"]["line"], *about)'
}

# check_before CALL BEFORE ARGUMENT: where CALL begins, the process is in BEFORE.
check_before() {
    rm -f "$scratch/core"
    gdb -q -batch -nx \
        -ex "set environment LD_PRELOAD $library" \
        -ex "set breakpoint pending on" \
        -ex "break main" -ex run -ex "tbreak poll_two.c:$(line_of "$2")" \
        -ex continue -ex "tbreak poll_two.c:$(line_of "$1")" -ex continue \
        -ex "break $1" -ex continue \
        -ex "generate-core-file $scratch/core" -ex kill "$program" \
        > "$scratch/gdb" 2>&1 < /dev/null
    $mqdump --format json --core "$program" "$scratch/core" \
        2> "$scratch/said" > "$scratch/report"
    check_equal "$mpi: in front of $1" \
        "$(tell_call < "$scratch/report" 2>> "$scratch/said")" \
        "$2 $(line_of "$2") $3"
}

for mpi in $found; do
    library=$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so
    build_watched "$mpi" tests/watch/poll_two.c
    check_before MPI_Test MPI_Iprobe tag
    check_before MPI_Iprobe MPI_Test request
done
tests_end
