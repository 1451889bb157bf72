# A signal ends mqdump at any moment: no rank is left stopped or marked, nothing
# is left running, and the terminal is as it was.  SIGNALS is how many there are
# for each of MODES; with 500 it takes about an hour.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh
. tests/live.sh

if ! have gdb || ! have python3; then
    skip "signals at any moment" "there is no gdb or no python3"
    tests_end
fi

start_job le64 2 stream
mark_at=$(gdb -nx -batch -p "$job" \
    -ex 'printf "at %lu\n", (unsigned long)&MPIR_being_debugged' 2> /dev/null |
    sed -n 's/^at //p')
for mode in ${MODES:-job launch watch}; do
    case $mode in
    launch) ranks_and_mark= ;;
    *) ranks_and_mark="$(job_pids | tr , ' ') $mark_at" ;;
    esac
    # shellcheck disable=SC2086 # these are several words
    if python3 tests/signals.py $mode "${SIGNALS:-40}" \
        "$(realpath "$mqdump")" "$(realpath "$BUILD/job/le64/job")" \
        $ranks_and_mark > "$scratch/told" 2>&1; then
        pass
        cat "$scratch/told"
    else
        fail "--$mode" < "$scratch/told"
    fi
done
check_runs "after all signals"
tests_end
