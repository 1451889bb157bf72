# test_rootless.sh - a job in a container that an ordinary user has started
# tier: live
#
# Its own user and root explain the job from the host, and so does mqdump in the
# container.  Where the program has another user in there, its own user needs
# podman unshare.
#
# SPDX-License-Identifier: BSD-2-Clause

# The user is there for this script only.
[ "$1" = apart ] || ! unshare -m true 2> /dev/null ||
    exec unshare -m sh "$0" apart

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires elfutils x86-64 mpi root podman newuidmap setpriv
if [ "$1" != apart ]; then
    skip "a user" "no namespace of mounts"
    tests_end
fi
. tests/kit/podman.sh

user=4242
mkdir "$scratch/home"
cp /etc/passwd /etc/group "$scratch"
echo "mqtest:x:$user:$user::$scratch/home:/bin/sh" >> "$scratch/passwd"
echo "mqtest:x:$user:" >> "$scratch/group"
echo "mqtest:200000:65536" > "$scratch/subuid"
cp "$scratch/subuid" "$scratch/subgid"
for name in passwd group subuid subgid; do
    [ -e "/etc/$name" ] || : > "/etc/$name"
    mount --bind "$scratch/$name" "/etc/$name"
done
mkdir -m 700 "$scratch/run"
mkdir "$scratch/store" "$scratch/state"
chown -R $user:$user "$root" "$scratch/home" "$scratch/run" "$scratch/store" \
    "$scratch/state"
podman_as="setpriv --reuid $user --regid $user --clear-groups
    env HOME=$scratch/home XDG_RUNTIME_DIR=$scratch/run TMPDIR=$scratch/home"
end_pause() { kill "$(cat "$scratch/run/libpod/tmp/pause.pid")" 2> /dev/null; }
trap 'stop_containers; end_pause; stop_mpis; stop_jobs; rm -rf "$scratch"' EXIT
requires_containers

container=mqdump-$$
own() { $podman_as "$scratch/kit/mqdump" "$@"; }
inside() { podman exec "$container" /mqdump/mqdump "$@"; }

for mpi in $(mpis); do
    start_contained "$mpi"
    check_verdict "$mpi: its user on the host" deadlock own --job "$first"
    check_verdict "$mpi: the user's only job" deadlock own
    check_verdict "$mpi: inside" possible-deadlock inside
    stop_contained
    start_contained "$mpi" --security-opt seccomp=unconfined
    check_verdict "$mpi: inside, unfiltered" deadlock inside
    stop_contained
    start_contained "$mpi" --user 1000
    check_verdict "$mpi: podman unshare" deadlock \
        podman unshare "$scratch/kit/mqdump" --job "$first"
    own --job "$first" > "$scratch/out" 2> "$scratch/err"
    known FIRST "$first"
    check_golden "$mpi: another user of the container" "$(errors)"
    stop_contained
done
tests_end
