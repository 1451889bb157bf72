# test_podman.sh - a job in a container of podman, from the host and from inside
# tier: live
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires elfutils x86-64 mpi root podman
. tests/kit/podman.sh
requires_containers

# check MPI WANTED OPTION...: the verdict inside, under these options.
check() {
    mpi=$1 wanted=$2 container=mqdump-$$-$2
    shift 2
    start_contained "$mpi" "$@"
    check_verdict "$mpi: inside, ${*:-as usual}" "$wanted" \
        podman exec "$container" /mqdump/mqdump
    stop_contained
}

for mpi in $(mpis); do
    check "$mpi" possible-deadlock
    check "$mpi" deadlock --cap-add=PERFMON --security-opt seccomp=unconfined
done
tests_end
