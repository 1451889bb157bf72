# test_interrupted.sh - mqdump or the process ends in the middle
# tier: live
#
# What happens when mqdump or the process ends in the middle: nobody waits for
# ever, nothing is left stopped, and no process is left.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if ! reads_directly; then
    skip "interruptions" "this build has no elfutils"
    tests_end
fi

# begin_reading JOB_ARGUMENT...: starts a job of one rank and an mqdump that
# reads its process, with a DLL that waits as long as there is the file $WAITS.
# Sets job, reader, worker and child.
begin_reading() {
    start_job le64 1 "$@"
    export WAITS="$scratch/waits.$job"
    # Shells start what runs in the background with SIGINT ignored.
    env --default-signal=INT,HUP "$mqdump" --looks 1 \
        --dll "$BUILD/tests/dlls/waits.so" --pid "$job" \
        > "$scratch/shown" 2> "$scratch/said" &
    reader=$!
    wait_until [ -e "$WAITS" ] || fail "it is not read" < "$scratch/said"
    worker=$(pgrep -P "$reader")
    child=$(pgrep -P "$worker")
}

# interrupt SIGNAL PID: the DLL has something to do again once it is sent.
interrupt() {
    kill "-$1" "$2"
    rm -f "$WAITS"
}

# check_end NAME STATUS: that mqdump ends so, and all else is in order.
check_end() {
    ends_within 300 "$reader" || fail "$1: mqdump does not end" < /dev/null
    wait "$reader"
    check_equal "$1: exit status" $? "$2"
    ends_within 300 "$worker" || fail "$1: a worker is left" < /dev/null
    ends_within 300 "$child" || fail "$1: a child is left" < /dev/null
}

begin_reading pending
interrupt KILL "$child"
check_end "a child is killed" 2
check_contains "a child is killed: what is said" "$(cat "$scratch/said")" \
    "mqdump: process $job: its reader was killed by signal 9"
check_runs "a child is killed"
stop_jobs

begin_reading pending
interrupt KILL "$reader"
check_end "mqdump is killed" 137
check_runs "mqdump is killed"
stop_jobs

for signal in INT:130 TERM:143 HUP:129; do
    begin_reading pending
    interrupt "${signal%:*}" "$reader"
    check_end "SIG${signal%:*}" ${signal#*:}
    check_equal "SIG${signal%:*}: nothing is shown" \
        "$(cat "$scratch/shown" "$scratch/said")" ""
    check_runs "SIG${signal%:*}"
    stop_jobs
done

begin_reading pending
interrupt KILL "$job"
check_end "the process is killed" 2
check_contains "the process is killed: what is said" "$(cat "$scratch/said")" \
    "mqdump: process $job ended while it was read"
stop_jobs

# ---- A DLL that crashes ----------------------------------------------------

{
    echo '#include <stdlib.h>'
    for entry in setup_basic_callbacks destroy_image_info setup_process \
        process_has_queues destroy_process_info update_communicator_list \
        setup_communicator_iterator get_communicator next_communicator \
        setup_operation_iterator next_operation image_has_queues; do
        echo "int mqs_$entry(void) { return 0; }"
    done
    echo 'int mqs_version_compatibility(void) { return 2; }'
    echo 'int mqs_dll_taddr_width(void) { return sizeof(long); }'
    echo 'char *mqs_version_string(void) { return "0"; }'
    echo 'char *mqs_dll_error_string(int code) { return code ? "1" : "0"; }'
    echo 'int mqs_setup_image(void) { abort(); }'
} > "$scratch/crash.c"
gcc -shared -fPIC -o "$scratch/crash.so" "$scratch/crash.c"
start_job le64 1 pending
"$mqdump" --dll "$scratch/crash.so" --pid "$job" 2> "$scratch/said"
check_equal "a DLL that crashes: exit status" $? 2
check_equal "a DLL that crashes" "$(cat "$scratch/said")" "mqdump: process \
$job: its reader was killed by signal 6 (Aborted) while it used \
$scratch/crash.so"
check_runs "a DLL that crashes"
stop_jobs

# ---- Processes that were stopped before stay so ---------------------------

start_job le64 1 pending
kill -STOP "$job"
"$mqdump" --pid "$job" > "$scratch/shown"
check_equal "a stopped process is shown, and not blamed" $? 0
check_contains "a stopped process" "$(cat "$scratch/shown")" \
    "stopped by a signal"
check_equal "a stopped process stays stopped" "$(state_of "$job")" T
kill -CONT "$job"
check_runs "a stopped process"

tests_end
