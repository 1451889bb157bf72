# test_spawned_one.sh - a spawned world of one rank
# tier: live
#
# A world of one rank that others have spawned, with nothing prepared and under
# libmqwatch: it waits for one of those others, whose number is its own, and not
# for itself.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

if ! have gdb || ! have mpicc.openmpi; then
    skip "a world of one" "it takes gdb and openmpi-bin"
    tests_end
fi

all_wait() {
    [ "$(cat "$scratch"/ready.child.0 "$scratch"/ready.parent.[01] \
         2> /dev/null | wc -l)" -eq 3 ]
}
wait_or_end() { all_wait || has_ended "$starter"; }

# check_told NAME PIDS: that it may hang, and that nobody waits for itself.
check_told() {
    $mqdump --pid "$2" > "$scratch/shown" 2> "$scratch/err"
    status=$?
    if [ $status -eq 0 ] || tr '\n' ' ' < "$scratch/shown" |
        grep -q 'waits for  *itself\|Nothing is stuck'
    then
        echo "mqdump ends with $status" |
            cat - "$scratch/shown" "$scratch/err" | fail "$name: $1"
    else
        pass
    fi
}

# check KNOWLEDGE PRELOADED
check() {
    name="$mpi, $1"
    rm -f "$scratch"/ready.*
    start_mpi "$mpi" 2 env LD_PRELOAD="$2" "$scratch/spawns.$mpi" \
        "$scratch/ready" one
    wait_until wait_or_end
    if all_wait; then
        sleep 1     # who has written its file may not be in its call yet
        child=$(cat "$scratch/ready.child.0")
        check_told "all" \
            "$(cat "$scratch"/ready.parent.[01] | paste -sd, -),$child"
        check_told "the one alone" "$child"
    else
        skip "$name" "it cannot spawn here"
    fi
    stop_mpis
}

# MPICH as Debian has it cannot spawn.
mpi=openmpi
"mpicc.$mpi" -g -o "$scratch/spawns.$mpi" tests/programs/hangs/spawns.c
check unprepared ""
check watched "$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so"
tests_end
