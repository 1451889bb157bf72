# Ranks behind shells and in containers, and files that are no longer what the
# ranks have loaded: what is told is of the rank, and of its own files.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh
. tests/live.sh
. tests/mpis.sh

# Another user than root needs all that mqdump is made of.
chmod 755 "$scratch"
mkdir "$scratch/kit" "$scratch/inside" "$scratch/outside" "$scratch/lib"
chmod 1777 "$scratch"
cp "$BUILD/mqdump" "$BUILD"/*.py "$BUILD"/libtvmpich*.so "$scratch/kit"
mqdump=$scratch/kit/mqdump
ranks=2

compile() {     # MPI OPTION...: makes $scratch/inside/hangs.MPI
    file=$scratch/inside/hangs.$1
    "mpicc.$1" -O2 -pthread tests/hangs/hangs.c -o "$file"
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
        wrong=$(python3 tests/hangs/verdict.py ring_recv $ranks "$ring_mpi" job \
            < "$scratch/report")
        [ -n "$wrong" ] || break
    done
    check_equal "$ring_name" "$wrong$(grep -v 'only its call' "$scratch/err")" ""
}

if ! have gdb || ! have python3 || [ "$(uname -m)" != x86_64 ]; then
    skip "ranks in containers" "it takes gdb, python3 and x86-64"
    tests_end
fi

# ---- Behind a shell ----------------------------------------------------------

for mpi in $(mpis); do
    compile "$mpi"
    start_mpi "$mpi" 2 sh -c '"$@"; :' sh "$file" ring_recv "$scratch/ready"
    wait_until are_there
    check_ring "$mpi: a shell around each rank" "$mpi" $mqdump --job "$starter"
    stop_mpis
    rm -f "$scratch"/ready.*
done

# ---- In another pid namespace ------------------------------------------------

# What is started sees $scratch/inside as $scratch/outside.
contained() {
    "$@" sh -c 'mount --bind "$0/inside" "$0/outside" && exec "$@"' "$scratch" \
        "mpirun.$mpi" -np $ranks "$scratch/outside/hangs.$mpi" ring_recv \
        "$scratch/ready" > "$scratch/starter.out" 2> "$scratch/starter" &
    starter=$!
    mpis_started="$mpis_started $starter"
    wait_until are_there
}

stop_contained() {
    kill -KILL "$starter"
    stop_mpis
    rm -f "$scratch"/ready.*
}

for mpi in $(mpis); do
    name="$mpi: a container, its starter by the number that it has here"
    if ! unshare -m -p -f --mount-proc true 2> "$scratch/said"; then
        skip "$name" "$(cat "$scratch/said")"
        continue
    fi
    [ "$mpi" != openmpi ] || export OMPI_MCA_rmaps_base_oversubscribe=1
    contained unshare -m -p -f --mount-proc --kill-child
    check_ring "$name" "$mpi" $mqdump --job "$(descendant "$starter" \
        "$(basename "$(readlink -f "$(command -v "mpirun.$mpi")")")")"
    stop_contained
done

# ---- Another user's ----------------------------------------------------------

# As somebody who may not follow a process into its container, where another
# file has the name of the MPI library.
as_user() {
    HOME=$scratch setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# map_library MPI NAME: the library is in the container, a decoy is here.
map_library() {
    library=$(ldd "$scratch/inside/hangs.$1" |
        sed -n "s/.*$2[^ ]* => \([^ ]*\) .*/\1/p")
    cp "$library" "$scratch/inside"
    cp "$(ldd "$mqdump" | sed -n 's/.*libc\.[^ ]* => \([^ ]*\) .*/\1/p')" \
        "$scratch/outside/${library##*/}"
}

for mpi in $(mpis); do
    name="$mpi: another user's container"
    set -- as_user unshare -U -m -p -f --mount-proc --map-root-user --kill-child
    if ! "$@" true 2> "$scratch/said"; then
        skip "$name" "$(cat "$scratch/said")"
        continue
    fi
    map_library "$mpi" libmpi
    export LD_LIBRARY_PATH="$scratch/outside"
    contained "$@"
    unset LD_LIBRARY_PATH
    check_ring "$name" "$mpi" as_user $mqdump --job "$starter"
    stop_contained
done

# ---- Files that were replaced ------------------------------------------------

for mpi in $(mpis); do
    name="$mpi: a library that was replaced"
    rm -f "$scratch"/outside/*
    cp "$scratch"/inside/* "$scratch/outside"
    LD_LIBRARY_PATH="$scratch/outside" \
        start_mpi "$mpi" 2 "$scratch/outside/hangs.$mpi" ring_recv \
        "$scratch/ready"
    wait_until are_there
    check_ring "$mpi: a library from elsewhere" "$mpi" $mqdump --job "$starter"
    library=$(echo "$scratch"/outside/lib*)
    cp "$mqdump" "$scratch/outside/new"
    mv "$scratch/outside/new" "$library"
    fails "$name" "has loaded another $library than the file that is there" \
        --job "$starter"
    rm "$library"
    fails "$name: removed" \
        "has loaded another $library than the file that is there" \
        --job "$starter"
    stop_mpis
    rm -f "$scratch"/ready.*
    break
done

tests_end
