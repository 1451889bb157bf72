# podman.sh - containers of podman with the programs of this host
#
# A script sources this file after harness.sh, live.sh and mpis.sh.
#
# SPDX-License-Identifier: BSD-2-Clause

# The container has the host's programs, and else its own files.
root=$scratch/root
mkdir -p "$scratch/kit" "$root/usr" "$root/etc" "$root/tmp" "$root/proc" \
    "$root/sys" "$root/dev" "$root/run" "$root/var" "$root/mqdump"
chmod 755 "$scratch"
chmod 1777 "$root/tmp"
for name in bin sbin lib lib32 lib64; do
    [ ! -L /$name ] || cp -d /$name "$root"
done
for name in passwd group alternatives ld.so.cache openmpi; do
    [ ! -e /etc/$name ] || cp -a /etc/$name "$root/etc"
done
cp "$BUILD/mqdump" "$BUILD"/lib*.so "$scratch/kit"

# podman WORD...: by the command $podman_as, if there is one.
podman() {
    $podman_as podman ${runtime:+--runtime "$runtime"} \
        --cgroup-manager=cgroupfs --storage-driver=vfs \
        --root "$scratch/store" --runroot "$scratch/state" "$@"
}
podman_as=command

stop_containers() { podman kill --all > /dev/null 2>&1; }
trap 'stop_containers; stop_mpis; stop_jobs; rm -rf "$scratch"' EXIT

# contain OPTION... --rootfs $root COMMAND...
contain() {
    podman run --rm \
        --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 \
        -e OMPI_ALLOW_RUN_AS_ROOT=1 -e OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        -e OMPI_MCA_rmaps_base_oversubscribe=1 -v /usr:/usr:ro \
        -v "$scratch/kit:/mqdump:ro" "$@"
}

# requires_containers: sets runtime; without one the rest is skipped.
requires_containers() {
    for runtime in crun runc; do
        ! contain --network=none --rootfs "$root" true \
            > "$scratch/said" 2>&1 || return 0
    done
    skip "containers of podman" "$(tail -n 1 "$scratch/said")"
    tests_end
}

# first_of CONTAINER: its first process, as the host numbers it.
first_of() { podman inspect -f '{{.State.Pid}}' "$1" 2> "$scratch/err"; }

says() { "$@" --format json > "$scratch/report" 2> "$scratch/err"; }

# is_hung: whether mqdump of the host finds that of the job in $container.
is_hung() {
    first=$(first_of "$container")
    has_ended "$starter" || { [ "${first:-0}" -gt 0 ] &&
        { says "$BUILD/mqdump" --job "$first"
            [ "$(verdict_in "$scratch/report")" = deadlock ]; }; }
}

# start_contained MPI OPTION...: heat.c in $container; root's mqdump finds it.
start_contained() {
    mpi=$1
    shift
    "mpicc.$mpi" -w -g -o "$root/heat" examples/heat.c
    contain --network=none --name "$container" "$@" --rootfs "$root" \
        "mpirun.$mpi" -n 4 /heat > "$scratch/out" 2>&1 &
    starter=$!
    wait_until is_hung
    check_equal "$mpi: root on the host, ${*:-as usual}" \
        "$(verdict_in "$scratch/report")" deadlock
}

# check_verdict NAME WANTED COMMAND...
check_verdict() {
    verdict_name=$1 verdict_wanted=$2
    shift 2
    says "$@"
    check_equal "$verdict_name" "$(verdict_in "$scratch/report")$(errors)" \
        "$verdict_wanted"
}

stop_contained() {
    podman kill "$container" > "$scratch/said" 2>&1
    wait "$starter"
}
