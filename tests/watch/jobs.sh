# jobs.sh - common functions of libmqwatch's tests
#
# A script sources this file after harness.sh
# and live.sh.
#
# SPDX-License-Identifier: BSD-2-Clause

watch_job=
trap 'stop_watch_job; rm -rf "$scratch"' EXIT

# The MPIs whose library was built and that can start jobs here.
mpis() {
    [ -e "$BUILD/libmqwatch-openmpi.so" ] && have mpirun.openmpi && have gdb \
        && echo openmpi
    [ -e "$BUILD/libmqwatch-mpich.so" ] && have mpiexec.mpich && have gdb \
        && echo mpich
}

# find_mpis: $found; without any the test ends.
find_mpis() {
    requires mpi
    found=$(mpis)
}

# build_watched MPI SOURCE...: $program
build_watched() {
    program=$scratch/$1-$(basename "$2" .c)
    "mpicc.$1" -w -g -O1 -o "$program" "$2" -pthread
}

# mpi_run MPI RANKS LIBRARY PROGRAM...: in place of this shell.
mpi_run() {
    mpi=$1 ranks=$2 library=$3
    shift 3
    case $mpi in
    openmpi)
        exec mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 \
            -n "$ranks" -x LD_PRELOAD="$library" "$@" < /dev/null
        ;;
    mpich)
        exec mpiexec.mpich -n "$ranks" -genv LD_PRELOAD "$library" "$@" \
            < /dev/null
        ;;
    esac
}

# start_watched MPI RANKS PROGRAM...: runs it with the library until each rank
# has said "ready RANK PID"; the processes are $pids, parted by commas.
start_watched() {
    start_watched_with "$(cd "$BUILD" && pwd)/libmqwatch-$1.so" "$@"
}

# start_watched_with LIBRARY MPI RANKS PROGRAM...: the same with this one.
start_watched_with() {
    watch_library=$1 watch_mpi=$2 watch_ranks=$3
    rm -f "$scratch/job.err"
    shift 3
    (mpi_run "$watch_mpi" "$watch_ranks" "$watch_library" "$@") \
        > "$scratch/job.out" 2> "$scratch/job.err" &
    watch_job=$!
    wait_until all_are_ready \
        || fail "$*: no job" < "$scratch/job.err"
    pids=$(sed -n 's/^ready //p' "$scratch/job.err" | sort -n \
        | cut -d ' ' -f 2 | paste -sd, -)
}

all_are_ready() {
    [ "$(cat "$scratch/job.err" 2> /dev/null | grep -c '^ready ')" \
        = "$watch_ranks" ]
}

stop_watch_job() {
    [ -z "$watch_job" ] || end_starter "$watch_job"
    watch_job=
}

# What the queues of its processes hold, in the order of their ranks, and nothing
# that differs from run to run.
shown() {
    $mqdump --raw --pid "$pids" 2> "$scratch/said" \
        | sed -e 's/0x[0-9a-f][0-9a-f]*/0xADDRESS/g' -e '/^process/s/ image=.*//'
}

is_shown() { shown > "$scratch/shown"; cmp -s "$scratch/shown" "$golden"; }

# check_queues NAME MPI RANKS SHAPE: those of $program SHAPE with $library are as
# tests/data/golden/watch has them.
check_queues() {
    golden=tests/data/golden/watch/$4
    start_watched_with "$library" "$2" "$3" "$program" "$4"
    look_until is_shown
    check_same "$1" "$scratch/shown" "$golden"
    stop_watch_job
}

# has_said SENTENCE: whether mqdump says that of the ranks $pids.
has_said() {
    "$mqdump" --pid "$pids" > "$scratch/out" 2>&1
    tr -s ' \n' ' ' < "$scratch/out" > "$scratch/said"
    grep -qF "$1" "$scratch/said"
}

# says NAME SENTENCE: once the ranks have come to where they wait.  A look at a
# busy machine may see another thread of one in two places.
says() {
    look_until has_said "$2"
    check_contains "$1" "$(cat "$scratch/said")" "$2"
}
