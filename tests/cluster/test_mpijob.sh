# test_mpijob.sh - a job whose launcher and workers are pods
# tier: live, long
#
# As Kubernetes' MPI Operator starts an MPIJob: a launcher that reaches workers
# by ssh, each with processes, a network and a name of its own.  The recipes of
# the manual explain its hang from the launcher and from the node.
#
# SPDX-License-Identifier: BSD-2-Clause

# The pods' network is there for this script only.
[ "$1" = apart ] || ! unshare -mn true 2> /dev/null ||
    exec unshare -mn sh "$0" apart

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

PATH=$PATH:/usr/sbin:/sbin
requires elfutils x86-64 mpi root podman ip sshd ssh-keygen pgrep
. tests/kit/podman.sh
if [ "$1" != apart ] || ! ip link add pods type bridge 2> "$scratch/said"; then
    skip "a network of pods" "$(cat "$scratch/said" 2> /dev/null)"
    tests_end
fi
ip link set lo up
ip link set pods up
mount -t tmpfs tmpfs /run
requires_containers

pods='launcher worker-0 worker-1'
number=0 hosts=
for pod in $pods; do
    number=$((number + 1))
    ip netns add $pod
    ip link add pod$number type veth peer name eth0 netns $pod
    ip link set pod$number master pods up
    ip -n $pod addr add 10.9.0.$number/24 dev eth0
    ip -n $pod link set eth0 up
    ip -n $pod link set lo up
    hosts="$hosts --add-host $pod:10.9.0.$number"
done

mkdir -p "$root/run/sshd" "$root/keys" "$root/root/.ssh" "$root/etc/ssh"
ssh-keygen -q -t ed25519 -N '' -f "$root/keys/host"
ssh-keygen -q -t ed25519 -N '' -f "$root/root/.ssh/id_ed25519"
cp "$root/root/.ssh/id_ed25519.pub" "$root/root/.ssh/authorized_keys"
printf 'StrictHostKeyChecking no\nLogLevel ERROR\n' > "$root/root/.ssh/config"
printf '%s\n' 'HostKey /keys/host' 'PidFile none' 'UsePAM no' \
    'StrictModes no' > "$root/keys/sshd_config"

# pod NAME OPTION... --rootfs ROOT COMMAND...
pod() {
    pod_name=$1
    shift
    # shellcheck disable=SC2086 # these are several words
    contain --name "$pod_name-$$" --hostname "$pod_name" $hosts \
        --network "ns:/run/netns/$pod_name" "$@"
}

# recipe WORD: of the manual the line with it, for our program
recipe() {
    grep -A 22 '^kind: MPIJob' doc/mqdump-cluster.7 | grep -e "$1" |
        sed "s/solver/heat$$/g"
}

rights="--cap-add=$(recipe capabilities | sed 's/.*\[//; s/\].*//; s/ //g')
    --security-opt seccomp=$(recipe seccompProfile | grep -o confined |
        sed 's/^/un/')"
in_launcher=$(recipe 'mqdump --hosts' | sed "s/.*mqdump//; s/heat$$-//g")
on_node=$(recipe pgrep | sed 's/.*mqdump//')

stop_pods() {
    podman kill --all > "$scratch/said" 2>&1
    wait "$starter"
}

# A busy host may need several looks, and proves less.
hangs() {
    ! has_ended "$starter" || return 0
    says "$@"
    verdict_in "$scratch/report" | grep -q 'deadlock$'
}

# check_hang NAME COMMAND...
check_hang() {
    hang=$1
    shift
    look_until hangs "$@"
    check_golden "$hang" "$(sed -n 's/^      "text": "\(.* 71 .*\)",*/\1/p' \
        "$scratch/report" | head -n 1)"
}

for mpi in $(mpis); do
    "mpicc.$mpi" -w -g -o "$root/heat$$" examples/heat.c
    slots=' slots='
    [ "$mpi" = openmpi ] || slots=:
    printf "worker-%s${slots}2\n" 0 1 > "$root/hostfile"
    for worker in worker-0 worker-1; do
        # shellcheck disable=SC2086 # these are several words
        pod $worker -d $rights --rootfs "$root" \
            /usr/sbin/sshd -D -f /keys/sshd_config > "$scratch/said" 2>&1 ||
            fail "$mpi: $worker" < "$scratch/said"
    done
    pod launcher --rootfs "$root" "mpirun.$mpi" --hostfile /hostfile -n 4 \
        "/heat$$" > "$scratch/out" 2>&1 &
    starter=$!
    # shellcheck disable=SC2086 # these are several words
    check_hang "$mpi: in the launcher" \
        podman exec "launcher-$$" /mqdump/mqdump $in_launcher
    eval "set -- $on_node"
    check_hang "$mpi: on the node" "$mqdump" "$@"
    stop_pods
done
tests_end
