# test_interrupted.sh - mqdump or a process ends while reading
# tier: live
#
# What happens when mqdump or the process ends in the middle: nobody waits for
# ever, nothing is left stopped, and no process is left.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils

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
    wait_until [ -e "$WAITS" ] || fail "not read" < "$scratch/said"
    worker=$(pgrep -P "$reader")
    child=$(pgrep -P "$worker")
}

# kill_with PID: the DLL has something to do again once it is killed.
kill_with() {
    kill -KILL "$1"
    rm -f "$WAITS"
}

# check_end NAME STATUS: that mqdump ends so, and all else is in order.
check_end() {
    ends_within 300 "$reader" || fail "$1: mqdump remains" < /dev/null
    wait "$reader"
    check_equal "$1: exit status" $? "$2"
    ends_within 300 "$worker" || fail "$1: a worker remains" < /dev/null
    ends_within 300 "$child" || fail "$1: a child remains" < /dev/null
}

begin_reading pending
kill_with "$child"
check_end "child killed" 2
check_golden "child killed" "$(cat "$scratch/said")"
check_runs "child killed"
stop_jobs

begin_reading pending
kill_with "$reader"
check_end "mqdump killed" 137
check_runs "mqdump killed"
stop_jobs

# That the host is busy may be logged.
for signal in INT:130 TERM:143 HUP:129; do
    begin_reading pending
    kill "-${signal%:*}" "$reader"
    check_end "SIG${signal%:*}" ${signal#*:}
    check_equal "SIG${signal%:*}: nothing is shown" "$(cat "$scratch/shown")" ""
    check_runs "SIG${signal%:*}"
    stop_jobs
done

begin_reading pending
kill_with "$job"
check_end "rank killed" 2
check_golden "rank killed" "$(cat "$scratch/said")"
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
known CRASHED "$job"
golden "DLL crashes" "$mqdump" --dll "$scratch/crash.so" --pid "$job"
check_runs "DLL crashes"
stop_jobs

# ---- Processes that were stopped before stay so ---------------------------

start_job le64 1 pending
kill -STOP "$job"
"$mqdump" --pid "$job" > "$scratch/shown"
check_equal "a stopped process: status" $? 0
check_golden "a stopped process" "$(head -n 1 "$scratch/shown")"
check_equal "a stopped process: state" "$(state_of "$job")" T
kill -CONT "$job"
check_runs "a stopped process"

tests_end
