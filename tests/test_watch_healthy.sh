# Programs that go on are never said to hang, however often they are looked at
# under libmqwatch.
#
# Looks once at each program, with one MPI; MQ_LOOKS times with both if that is
# set.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh
. tests/live.sh
. tests/watch/jobs.sh

find_mpis "healthy programs"

all_have_begun() { [ "$(ls "$scratch/begun".* 2> /dev/null | wc -l)" = 3 ]; }

# look_at PROGRAM: that it is not said to hang.
look_at() {
    rm -f "$scratch"/begun.*
    (mpi_run "$mpi" 3 "$library" "$program" "$1" "$scratch/begun") \
        > "$scratch/job.out" 2> "$scratch/job.err" &
    watch_job=$!
    wait_until all_have_begun || fail "$1 does not start" < "$scratch/job.err"
    pids=$(cat "$scratch/begun".? | paste -sd,)
    for _ in $(seq "${MQ_LOOKS:-1}"); do
        "$mqdump" --format json --pid "$pids" > "$scratch/report" \
            2> "$scratch/err"
        verdict=$(sed -n 's/^ *"verdict": "\(.*\)",$/\1/p' "$scratch/report")
        case $verdict in
        none | held-up) pass ;;
        *) cat "$scratch/err" "$scratch/report" |
            fail "$1 under $mpi: $verdict" ;;
        esac
    done
    stop_watch_job
}

first=0
for mpi in $found; do
    library=$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so
    build_watched "$mpi" tests/hangs/hangs.c
    number=$first
    for name in ping_pong shift barriers reductions workers computing \
        busy_thread; do
        number=$((number + 1))
        [ -z "$MQ_LOOKS" ] && [ $((number % 2)) = 0 ] && continue
        look_at $name
    done
    first=$((first + 1))
done
tests_end
