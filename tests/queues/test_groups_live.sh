# test_groups_live.sh - members of MPICH's communicators, live
# tier: live
#
# Which ranks are members is read as MPI itself tells it, in whatever way MPICH
# keeps it.  A receive from the only rank on the other side of an
# inter-communicator is on its list, as it is not one from the process itself.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpicc.mpich mpirun.mpich x86-64
mpicc.mpich -w -o "$scratch/groups" tests/queues/state_groups.c
ranks=6

are_there() {
    [ "$(cat "$scratch"/ready.? 2> /dev/null | grep -c '^far')" -eq "$ranks" ]
}

is_posted() {
    $mqdump --raw --pid "$(head -n 1 "$scratch/ready.$rank")" \
        > "$scratch/raw" 2> "$scratch/err"
    grep -q '^receive status=pending .* tag=8 ' "$scratch/raw"
}

start_mpi mpich "$ranks" "$scratch/groups" "$scratch/ready"
wait_until are_there || fail "it starts" < "$scratch/starter"
for rank in 0 1 2 5; do
    if wait_until is_posted; then
        pass
    else
        fail "rank $rank: receive" < "$scratch/raw"
    fi
    sed -n '/^comm/{s/.* name="\(.*\)"$/\1/;h;}; /^group/{s/group//;H;x
        s/\n//p;}' "$scratch/raw" |
        grep -v '^MPI\|^a communicator without name' | sort \
            > "$scratch/shown"
    sed 1d "$scratch/ready.$rank" | sort > "$scratch/wanted"
    check_same "rank $rank" "$scratch/shown" "$scratch/wanted"
done

tests_end
