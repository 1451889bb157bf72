# test_queues_openmpi.sh - queues of packaged Open MPI, live
# tier: live
#
# Queues of Open MPI as it is packaged, whose messages it matches itself: what
# is read of jobs that stand still is what they have done, and makes what is told
# of them certain.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpicc.openmpi mpirun.openmpi x86-64
mpicc.openmpi -o "$scratch/hangs" tests/programs/hangs/hangs.c
mpicc.openmpi -std=gnu99 -o "$scratch/state" tests/queues/state.c

are_there() {
    [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq "$ranks" ]
}

# start RANKS MCA VALUE PROGRAM ARGUMENT...: starts it and waits for all.
start() {
    rm -f "$scratch"/ready.*
    ranks=$1
    shift
    start_mpi openmpi "$ranks" --mca pml ob1 --mca "$@"
    wait_until are_there || fail "$* starts" < "$scratch/starter"
    pids=$(cat "$scratch"/ready.* | paste -sd, -)
}

# Without addresses, and what no version calls alike.
hide() {
    hide_addresses < "$1" |
        sed 's/ id=[^ ]*//; s/COMMUNICATOR/COMM/'
}

shows_all() {
    $mqdump --raw --internal --pid "$(cat "$scratch/ready.1")" \
        > "$scratch/raw" 2> "$scratch/err"
    hide "$scratch/raw" > "$scratch/shown"
    cmp -s "$scratch/shown" "$scratch/wanted"
}

for transport in self,vader self,tcp; do
    start 3 btl "$transport" "$scratch/state" "$scratch/ready"
    hide tests/data/queues/openmpi-4.1.4-ob1.expect > "$scratch/wanted"
    wait_until shows_all
    check_same "messages by $transport" "$scratch/shown" \
        "$scratch/wanted"
    $mqdump --raw --internal --dll "$BUILD/libtvompi.so" \
        --pid "$(cat "$scratch/ready.0")" > "$scratch/raw" 2> "$scratch/err"
    check_equal "send by $transport" \
        "$(grep -c '^send status=pending .* tag=200 length=40 ' \
            "$scratch/raw")" 1
    stop_mpis
done

# A receive that has its message, all of which has not come yet.
start 2 btl self,tcp "$scratch/state" "$scratch/ready" slow
$mqdump --raw --pid "$(cat "$scratch/ready.1")" > "$scratch/raw" \
    2> "$scratch/err"
check_equal "a matched receive" \
    "$(sed -n 's/^receive \(.*\) system.* \(actual_local.*\)/\1 \2/p' \
        "$scratch/raw")" \
    "status=matched desired_local=-1 desired_global=-1 tag=any length=4000000 \
actual_local=0 actual_global=0 actual_tag=117 actual_length=4000000"
stop_mpis

# look PROGRAM PART: starts it and waits until the report has PART, and both
# ranks as the cause.
look() {
    start 2 btl self,vader "$scratch/hangs" "$1" "$scratch/ready"
    if wait_until has_verdict deadlock "$2" '"ranks": [0, 1]'; then
        pass
    else
        fail "$1: $2 is wanted" < "$scratch/shown"
    fi
    stop_mpis
}

look ring_recv '"call": "MPI_Recv"'
look dup_alone '"call": "MPI_Comm_dup"'
look ring_wait '"call": "MPI_Wait"'

# Who reads them is told, too.
start 2 btl self,vader "$scratch/hangs" ring_recv "$scratch/ready"
COLUMNS=1000 $mqdump doctor --pid "${pids%,*}" > "$scratch/shown" 2>&1
check_golden "doctor" "$(grep libtvompi "$scratch/shown")"
stop_mpis

tests_end
