# test_signals.sh - signals end mqdump without leftovers
# tier: live
#
# A signal ends mqdump at any moment: no rank is left stopped or marked, nothing
# is left running, and the terminal is as it was.  SIGNALS is how many there are
# of each kind: with --job, --launch and --watch, side by side.  500 take an hour.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb python3

# The processes of the job, and where they have MPIR_being_debugged.
ranks_and_mark() {
    job_pids | tr , '\n'
    gdb -nx -batch -p "$job" \
        -ex 'printf "at %lu\n", (unsigned long)&MPIR_being_debugged' \
        2> /dev/null | sed -n 's/^at //p'
}

# signal MODE [PID... MARK]
signal() {
    mode=$1
    shift
    python3 tests/sample/signals.py "$mode" "${SIGNALS:-15}" \
        "$(realpath "$mqdump")" \
        "$(realpath "$BUILD/job/le64/job")" "$@" > "$scratch/$mode" 2>&1
    echo $? >> "$scratch/$mode"
}

signalling=
for mode in job watch; do
    start_job le64 2 stream
    # shellcheck disable=SC2046 # these are several words
    signal $mode $(ranks_and_mark) &
    signalling="$signalling $!"
done
for mode in run hung; do
    mkdir "$scratch/files.$mode"
    TMPDIR=$scratch/files.$mode signal $mode &
    signalling="$signalling $!"
done
signal launch
# shellcheck disable=SC2086 # as above
wait $signalling
for mode in job watch launch run hung; do
    if [ "$(tail -n 1 "$scratch/$mode")" = 0 ]; then
        pass
        sed '$d' "$scratch/$mode"
    else
        fail "$mode" < "$scratch/$mode"
    fi
done
check_runs "after all signals"
tests_end
