# test_containers.sh - shells, containers and replaced files
# tier: live
#
# Ranks behind shells and in containers, and files that are no longer what the
# ranks have loaded: what is told is of the rank, and of its own files.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

# Another user than root needs all that mqdump is made of.
chmod 755 "$scratch"
mkdir "$scratch/kit" "$scratch/inside" "$scratch/outside" "$scratch/lib"
chmod 1777 "$scratch"
cp "$BUILD/mqdump" "$BUILD"/libtvmpich*.so "$scratch/kit"
mqdump=$scratch/kit/mqdump
ranks=2

compile() {     # MPI OPTION...: makes $scratch/inside/hangs.MPI
    file=$scratch/inside/hangs.$1
    "mpicc.$1" -O2 -pthread tests/programs/hangs/hangs.c -o "$file"
}

# Whether all ranks are where they wait, or none will be.
are_there() {
    [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq $ranks ] ||
        has_ended "$starter"
}

# descendant PID NAME: the process below PID that runs NAME.
descendant() {
    for child in $(pgrep -P "$1"); do
        case $(readlink "/proc/$child/exe") in
        */"$2") echo "$child" ;;
        *) descendant "$child" "$2" ;;
        esac
    done
}

# check_ring NAME MPI COMMAND...: what the command mqdump tells of ring_recv;
# once more if a rank was still on its way.
check_ring() {
    ring_name=$1 ring_mpi=$2
    shift 2
    for _ in 1 2; do
        "$@" --format json > "$scratch/report" 2> "$scratch/err"
        wrong=$(python3 tests/programs/hangs/verdict.py ring_recv $ranks \
            "$ring_mpi" \
            job < "$scratch/report")
        [ -n "$wrong" ] || break
    done
    check_equal "$ring_name" \
        "$wrong$(grep -v 'only its call' "$scratch/err")" ""
}

requires elfutils python3 x86-64 mpi

# ---- Behind a shell ----------------------------------------------------------

for mpi in $(mpis); do
    compile "$mpi"
    start_mpi "$mpi" 2 sh -c '"$@"; :' sh "$file" ring_recv "$scratch/ready"
    wait_until are_there
    check_ring "$mpi: shells" "$mpi" $mqdump --job "$starter"
    stop_mpis
    rm -f "$scratch"/ready.*
done

# ---- In another pid namespace ------------------------------------------------

# What is started sees $scratch/inside as $scratch/outside.
contained() {
    "$@" sh -c 'mount --bind "$0/inside" "$0/outside" && exec "$@"' "$scratch" \
        "mpirun.$mpi" -np $ranks "$scratch/outside/${program%% *}.$mpi" \
        "${program#* }" "$scratch/ready" > "$scratch/starter.out" 2> "$scratch/starter" &
    starter=$!
    mpis_started="$mpis_started $starter"
    wait_until are_there
}

stop_contained() {
    kill -KILL "$starter"
    stop_mpis
    rm -f "$scratch"/ready.*
}

# starter_of: the job's starter.
starter_of() {
    descendant "$starter" \
        "$(basename "$(readlink -f "$(command -v "mpirun.$mpi")")")"
}

program='hangs ring_recv'
for mpi in $(mpis); do
    name="$mpi: a container"
    if ! unshare -m -p -f --mount-proc true 2> "$scratch/said"; then
        skip "$name" "$(cat "$scratch/said")"
        continue
    fi
    [ "$mpi" != openmpi ] || export OMPI_MCA_rmaps_base_oversubscribe=1
    contained unshare -m -p -f --mount-proc --kill-child
    check_ring "$name" "$mpi" $mqdump --job "$(starter_of)"
    stop_contained
    # The owner of a lock has another number in the lock.
    "mpicc.$mpi" -std=gnu99 -I. -o "$scratch/inside/resources.$mpi" \
        tests/programs/hangs/resources.c -pthread
    program='resources sleeping_owner'
    contained unshare -m -p -f --mount-proc --kill-child
    $mqdump --job "$(starter_of)" > "$scratch/said" 2>&1
    check_contains "$name: a lock" "$(cat "$scratch/said")" "Held up: rank 0 "
    program='hangs ring_recv'
    stop_contained
done

# ---- Another user's ----------------------------------------------------------

mpi=$(mpis | tail -n 1)
library=$(ldd "$scratch/inside/hangs.$mpi" |
    sed -n 's/.*\(libmpi[^ ]*\) => \([^ ]*\) .*/\2/p')
mkdir "$scratch/theirs"
chmod 1777 "$scratch/theirs"

# As somebody who may not follow a process into its container, where another
# file has the name of the MPI library.
user="setpriv --reuid 65534 --regid 65534 --clear-groups
    env HOME=$scratch/theirs TMPDIR=$scratch/theirs"
name="$mpi: another user's container"
# shellcheck disable=SC2086 # these are several words
if ! $user unshare -U -m -p -f --mount-proc --map-root-user true \
    2> "$scratch/said"; then
    skip "$name" "$(cat "$scratch/said")"
else
    cp "$library" "$scratch/inside"
    cp "$mqdump" "$scratch/outside/${library##*/}"
    contained $user env LD_LIBRARY_PATH="$scratch/outside" \
        unshare -U -m -p -f --mount-proc --map-root-user --kill-child
    check_ring "$name" "$mpi" $user $mqdump --job "$starter"
    stop_contained
fi

# ---- A program that was made anew --------------------------------------------

# Its user, who is not root, may read the file that the ranks still have.
rm -f "$scratch"/ready.*
cp "$scratch/inside/hangs.$mpi" "$scratch/theirs/hangs"
mpi_under=$user
start_mpi "$mpi" 2 "$scratch/theirs/hangs" ring_recv "$scratch/ready"
mpi_under=
wait_until are_there
rm "$scratch/theirs/hangs"
# shellcheck disable=SC2086 # these are several words
$user $mqdump --job "$starter" > "$scratch/said" 2>&1
check_contains "$mpi: a rebuilt program" \
    "$(tr -s ' \n' ' ' < "$scratch/said")" "ranks 0, 1: main > "
stop_mpis
rm -f "$scratch"/ready.*

# ---- A file that was replaced ------------------------------------------------

cp "$scratch/inside/hangs.$mpi" "$library" "$scratch/outside"
library=$scratch/outside/${library##*/}
export LD_LIBRARY_PATH="$scratch/outside"
start_mpi "$mpi" 2 "$scratch/outside/hangs.$mpi" ring_recv "$scratch/ready"
wait_until are_there
unset LD_LIBRARY_PATH
check_ring "$mpi: another library" "$mpi" $mqdump --job "$starter"
cp "$mqdump" "$scratch/outside/new"
mv "$scratch/outside/new" "$library"
# The kernel keeps the old file, which root may read.
check_ring "$mpi: library replaced" "$mpi" $mqdump --job "$starter"
rm "$library"
check_ring "$mpi: library removed" "$mpi" $mqdump --job "$starter"
stop_mpis

tests_end
