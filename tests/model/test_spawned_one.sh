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

requires gdb mpicc.openmpi

all_wait() {
    [ "$(cat "$scratch"/ready.child.0 "$scratch"/ready.parent.[01] \
         2> /dev/null | wc -l)" -eq 3 ]
}
wait_or_end() { all_wait || has_ended "$starter"; }

# may_hang PIDS: whether that is said, and not that one waits for itself.
may_hang() {
    $mqdump --pid "$1" > "$scratch/shown" 2> "$scratch/err"
    status=$?
    [ $status -ne 0 ] && ! tr '\n' ' ' < "$scratch/shown" |
        grep -q 'waits for  *itself\|Nothing is stuck'
}

# check_told NAME PIDS: it does so once it is where it waits.
check_told() {
    if look_until may_hang "$2"; then
        pass
    else
        echo "mqdump ends with $status" |
            cat - "$scratch/shown" "$scratch/err" | fail "$name: $1"
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
        child=$(cat "$scratch/ready.child.0")
        check_told "all" \
            "$(cat "$scratch"/ready.parent.[01] | paste -sd, -),$child"
        check_told "the one alone" "$child"
    else
        skip "$name" "no spawning"
    fi
    stop_mpis
}

# MPICH as Debian has it cannot spawn.
mpi=openmpi
"mpicc.$mpi" -g -o "$scratch/spawns.$mpi" tests/programs/hangs/spawns.c
check unprepared ""
check watched "$(cd "$BUILD" && pwd)/libmqwatch-$mpi.so"
tests_end
