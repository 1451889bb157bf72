# test_podman.sh - a job in a container of podman, from the host and from inside
# tier: live
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires elfutils x86-64 mpi root podman

# The container has the host's programs, and else its own files.
root=$scratch/root
mkdir -p "$root/usr" "$root/etc" "$root/tmp" "$root/proc" "$root/sys" \
    "$root/dev" "$root/run" "$root/var" "$root/mqdump"
for name in bin sbin lib lib32 lib64; do
    [ ! -L /$name ] || cp -d /$name "$root"
done
for name in passwd group alternatives ld.so.cache openmpi; do
    [ ! -e /etc/$name ] || cp -a /etc/$name "$root/etc"
done

podman_by() {   # RUNTIME WORD...
    runtime=$1
    shift
    command podman ${runtime:+--runtime "$runtime"} --cgroup-manager=cgroupfs \
        --storage-driver=vfs --root "$scratch/store" \
        --runroot "$scratch/state" "$@"
}

# contain RUNTIME WORD...: runs the words, the options of the container first.
contain() {
    contain_runtime=$1
    shift
    podman_by "$contain_runtime" run --rm --network=none \
        --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 \
        -e OMPI_ALLOW_RUN_AS_ROOT=1 -e OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        -e OMPI_MCA_rmaps_base_oversubscribe=1 -v /usr:/usr:ro \
        -v "$(realpath "$BUILD"):/mqdump:ro" "$@"
}

used=none
for runtime in crun runc; do
    ! contain $runtime --rootfs "$root" true > "$scratch/said" 2>&1 ||
        { used=$runtime && break; }
done
if [ $used = none ]; then
    skip "containers of podman" "$(tail -n 1 "$scratch/said")"
    tests_end
fi

says() { "$@" --format json > "$scratch/report" 2> "$scratch/err"; }
is_hung() {
    first=$(podman_by $used inspect -f '{{.State.Pid}}' "$container" \
        2> "$scratch/err")
    has_ended "$starter" || { [ "${first:-0}" -gt 0 ] &&
        { says "$BUILD/mqdump" --job "$first"
            [ "$(verdict_in "$scratch/report")" = deadlock ]; }; }
}
inside() { says podman_by $used exec "$container" /mqdump/mqdump; }

# check MPI WANTED OPTION...: the verdict inside, under these options.
check() {
    mpi=$1 wanted=$2 container=mqdump-$$-$2
    shift 2
    "mpicc.$mpi" -w -g -o "$root/heat" examples/heat.c
    contain $used --name "$container" "$@" --rootfs "$root" \
        "mpirun.$mpi" -n 4 /heat > "$scratch/out" 2>&1 &
    starter=$!
    wait_until is_hung
    check_equal "$mpi: on the host" "$(verdict_in "$scratch/report")" deadlock
    inside
    check_equal "$mpi: inside, ${*:-as usual}" \
        "$(verdict_in "$scratch/report")" "$wanted"
    podman_by $used kill "$container" > "$scratch/said" 2>&1
    wait $starter
}

for mpi in $(mpis); do
    check "$mpi" possible-deadlock
    check "$mpi" deadlock --cap-add=PERFMON --security-opt seccomp=unconfined
done
tests_end
