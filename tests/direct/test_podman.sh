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

# Users of the container have other numbers on the host, as with userns-remap.
chown -R 300000:300000 "$root"
check "$mpi" possible-deadlock --uidmap 0:300000:65536
tests_end
