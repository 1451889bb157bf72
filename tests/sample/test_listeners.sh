# test_listeners.sh - listener threads
# tier: live
#
# Where the main thread computes, nothing is stuck: its data changes.  Where it
# waits for the thread, by a loop, a nap or a condition, that is not denied.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

looks=${LOOKS:-1}

requires mpi elfutils

look() {
    "$BUILD/mqdump" --pid "$pids" > "$scratch/out" 2> "$scratch/err"
    status=$?
}

# shows PROGRAM FLAGS STATUSES: of a job of two ranks, in all looks.
shows() {
    for mpi in $(mpis); do
        # shellcheck disable=SC2086 # these are several words
        "mpicc.$mpi" -w $2 -o "$scratch/program" \
            tests/programs/hangs/listeners.c -pthread -lm \
            2> "$scratch/said" || {
            fail "$1: compiled, $mpi" < "$scratch/said"
            continue
        }
        start_ready "$mpi" 2 "$scratch/program" "$1" "$scratch/ready"
        i=0
        while [ $i -lt "$looks" ]; do
            look
            # Of few looks, one may see the same data twice.
            if [ "$3,$status" = 0,2 ]; then
                look
            fi
            case $3 in
            *$status*) pass ;;
            *)
                { echo "status $status, not $3"; cat "$scratch/out"; } |
                    fail "$1 ($2), $mpi"
                ;;
            esac
            i=$((i + 1))
        done
        stop_mpis
    done
}

for flags in "-O0 -g" "-O2"; do
    shows relaxes "$flags" 0
    shows calls_sines "$flags" 0
    shows calls_itself "$flags" 0
    shows hashes "$flags" 0
    shows spins "$flags" 1,2
    shows spins_by_call "$flags" 1,2
    shows naps "$flags" 1,2
    shows waits "$flags" 1
done
tests_end
