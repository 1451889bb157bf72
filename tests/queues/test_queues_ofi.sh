# test_queues_ofi.sh - queues of Open MPI over libfabric, live
# tier: live
#
# What is read of jobs of Open MPI whose messages go through libfabric's ofi_rxm
# is what they have done, and makes what is told of them certain; another
# provider is refused.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires mpicc.openmpi mpirun.openmpi x86-64
ompi_info 2> /dev/null | grep -q 'MCA mtl: ofi' || {
    skip "the rest" "no mtl ofi"
    tests_end
}
for program in state state_freed; do
    mpicc.openmpi -w -std=gnu99 -o "$scratch/$program" tests/queues/$program.c
done
mpicc.openmpi -o "$scratch/hangs" tests/programs/hangs/hangs.c

# start PROVIDER RANKS PROGRAM ARGUMENT...: starts it and waits for all.
start() {
    provider=$1 ranks=$2
    shift 2
    start_ready openmpi "$ranks" --mca pml cm --mca mtl ofi \
        --mca mtl_ofi_provider_include "$provider" "$@"
}

# Without addresses, and in no order: messages of several ranks have none.
hide() {
    hide_addresses < "$1" | sed 's/ id=[^ ]*//' | sort
}

shows_all() {
    $mqdump --raw --internal --pid "$(cat "$scratch/ready.$rank")" \
        > "$scratch/raw" 2> "$scratch/err"
    hide "$scratch/raw" > "$scratch/shown"
    cmp -s "$scratch/shown" "$scratch/wanted"
}

# Rank 0 waits for the answer to a synchronous send, which is no receive.
start "tcp;ofi_rxm" 3 "$scratch/state" "$scratch/ready"
for rank in 0 1; do
    name=openmpi-4.1.4-ofi-1.17
    [ "$rank" = 1 ] || name=$name-answer
    hide "tests/data/queues/$name.expect" > "$scratch/wanted"
    wait_until shows_all
    check_same "rank $rank" "$scratch/shown" \
        "$scratch/wanted"
done
stop_mpis

# look VERDICT PART PROGRAM ARGUMENT...: starts it and waits until the report has
# both, and both ranks as the cause.
look() {
    wanted=$1 wanted_part=$2
    shift 2
    start "tcp;ofi_rxm" 2 "$@"
    if wait_until has_verdict "$wanted" "$wanted_part" '"ranks": [0, 1]'; then
        pass
    else
        fail "$*: $wanted, $wanted_part" < "$scratch/shown"
    fi
}

for program in recv:Recv wait:Wait; do
    look deadlock "\"call\": \"MPI_${program#*:}\"" \
        "$scratch/hangs" "ring_${program%:*}" "$scratch/ready"
    COLUMNS=1000 $mqdump doctor --pid "${pids%,*}" > "$scratch/shown" 2>&1
    check_golden "doctor, ${program%:*}" "$(grep 'libtvompi' "$scratch/shown")"
    stop_mpis
done
look deadlock collective-mismatch \
    "$scratch/hangs" bcast_against_barrier "$scratch/ready"
stop_mpis

# The other one's number may have been given to a smaller communicator.
for again in "" anew; do
    # shellcheck disable=SC2086
    look possible-deadlock '"tag": 9' \
        "$scratch/state_freed" "$scratch/ready" $again
    check_golden "freed${again:+, $again}" \
        "$(sed 's/.*queue: //; s/; and [0-9]* more .*//' "$scratch/err" |
            sort -u)"
    stop_mpis
done

start sockets 2 "$scratch/hangs" ring_recv "$scratch/ready"
$mqdump --pid "$pids" > "$scratch/shown" 2> "$scratch/err"
check_golden "another provider" \
    "$(first_part "$scratch/shown" 'Messages go through libfabric, [^();]*')
$(first_part "$scratch/shown" 'receive queue [^,]*, unexpected queue not')"
stop_mpis

tests_end
