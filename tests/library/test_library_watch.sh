# test_library_watch.sh - the example examples/watch.c
# tier: live
#
# examples/watch.c, compiled as its users do: of processes that run, of the MPIs
# that are here, and of a recording and a digest, what it prints is mqdump's
# headline, and what is missing is said where it is not certain.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

build=$(cd "$BUILD" && pwd)
${CC:-cc} -std=c99 -Wall -Wextra -Werror -Iinclude -o "$scratch/watch" \
    examples/watch.c "$build/libmqdebug.so.2" -Wl,-rpath,"$build" \
    > "$scratch/log" 2>&1 || fail "it is compiled" < "$scratch/log"

# headline OPTION... WHAT: what mqdump begins with.
headline() { COLUMNS=2000 "$BUILD/mqdump" "$@" 2> "$scratch/err" | head -n 1; }

# watches NAME STATUS WHAT...: $said is what the example says.
watches() {
    watches_name=$1 wanted=$2
    shift 2
    timeout 120 "$scratch/watch" "$@" > "$scratch/said" 2> "$scratch/err"
    check_equal "$watches_name: exit status" $? "$wanted"
    said=$(cat "$scratch/said")
}

watches "a recording" 1 examples/heat/*.mqsnap
check_equal "a recording: output" "$said" "$(headline examples/heat)"
"$BUILD/mqdump" --digest "$scratch/heat.digest" examples/heat
watches "a digest" 1 "$scratch/heat.digest"
check_equal "a digest: output" "$said" "$(headline examples/heat)"
watches "possible" 1 tests/data/golden/answers.mqdigest
check_equal "possible: headline" "$(echo "$said" | head -n 1)" \
    "$(headline tests/data/golden/answers.mqdigest)"
check_contains "possible: missing evidence" "$said" \
    "not certain: rank 11"
watches "nothing" 2
watches "no process" 2 999999999

timeout 60 "$scratch/watch" $$ > "$scratch/out" 2>&1
if grep -q 'built without elfutils' "$scratch/out"; then
    skip "jobs that run" "no elfutils"
    tests_end
fi

for mpi in $(mpis); do
    program=$scratch/hangs.$mpi
    "mpicc.$mpi" -w -O1 -g -pthread tests/programs/hangs/hangs.c -o "$program" \
        > "$scratch/log" 2>&1 || fail "$mpi: it is compiled" < "$scratch/log"
    start_ready "$mpi" 2 "$program" ring_recv "$scratch/ready"
    # shellcheck disable=SC2046 # these are several words
    watches "$mpi" 1 $(cat "$scratch"/ready.*)
    check_contains "$mpi: its headline" "$said" \
        "ranks 0, 1 $each_other in MPI_Recv"
    check_golden "$mpi: missing evidence" \
        "$(echo "$said" | grep -e --looks)"
    stop_mpis
done

tests_end
