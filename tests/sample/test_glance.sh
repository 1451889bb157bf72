# test_glance.sh - counted ranks are stopped only once
# tier: live
#
# A rank whose call is counted not to have returned, and of which no queue is
# known, is stopped once: the other looks at it cost it nothing.  A DLL for
# another MPI knows none.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires gdb mpi
mpi=$(mpis | head -n 1)
(cd tests/programs/hangs && "mpicc.$mpi" -O2 hangs.c -o "$scratch/glanced") ||
    fail "mpicc" < /dev/null

are_there() { [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq 2 ]; }

# start PROGRAM: two ranks of it, which are where they wait, or run.
start() {
    rm -f "$scratch"/ready.*
    start_mpi "$mpi" 2 "$scratch/glanced" "$1" "$scratch/ready"
    wait_until are_there
}

# What the recordings say of looks.
looks_in() {
    sed -n 's/^looks \([0-9]*\) [0-9.]* \(.*\)/\1 \2/p' "$1"/*.mqsnap | sort -u
}

count_stops() { grep -c 'process.* stopped for' "$scratch/err"; }

# ---- A call that does not return ---------------------------------------------

start ring_recv
$mqdump -v --dll "$BUILD/libtvmpich.so" --record "$scratch/ring" \
    --job "$starter" > "$scratch/out" 2> "$scratch/err"
check_equal "ranks that wait" $? 1
if [ "$(looks_in "$scratch/ring")" = "10 equal" ]; then
    skip "counted returns" "perf_event_open"
    tests_end
fi
check_equal "ranks that wait: looks" "$(looks_in "$scratch/ring")" "3 still"
check_equal "ranks that wait: stops" "$(count_stops)" 1
check_golden "ranks that wait" "$(head -n 1 "$scratch/out")"

# ---- A message that takes its time -------------------------------------------

stop_mpis
start head_to_head_send
$mqdump --job "$starter" > "$scratch/out" 2> "$scratch/err"
check_equal "large sends" $? 1
check_golden "large sends" "$(head -n 1 "$scratch/out")"
stop_mpis

# ---- Its ranks end -----------------------------------------------------------

start ring_recv
$mqdump -v --looks 1000 --settle 0.1 --job "$starter" > "$scratch/out" \
    2> "$scratch/err" &
looking=$!
wait_until grep -q 'stopped for' "$scratch/err"
# shellcheck disable=SC2046 # they are two
kill -KILL $(cat "$scratch"/ready.0 "$scratch"/ready.1)
wait $looking
check_equal "ranks end: exit status" $? 2
check_golden "ranks end" "$(grep 'ended while' "$scratch/err" |
    sed 's/^mqdump: \(rank [01], \)*//' | uniform | sort -u)"
stop_mpis

# ---- A call that returns -----------------------------------------------------

start ping_pong
$mqdump -v --record "$scratch/pairs" --job "$starter" > "$scratch/out" \
    2> "$scratch/err"
check_equal "moving ranks" $? 0
check_contains "moving ranks: looks" "$(looks_in "$scratch/pairs")" moved
stop_mpis

tests_end
