# test_refused.sh - processes that the kernel does not let be traced
# tier: live
#
# Processes that the kernel lets nobody look at: which rule it is, and what helps,
# with no gdb in PATH; test_refusal.c has those that this kernel does not.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires root setpriv elfutils

mkdir -m 755 "$scratch/bin"
cp "$mqdump" "$BUILD"/*.py "$BUILD/libtvmpich.so" "$scratch/bin"
chmod 755 "$scratch"
setpriv=$(command -v setpriv)

# refused NAME OPTION...: what setpriv's options make of mqdump.
refused() {
    refused_name=$1
    shift
    PATH=$scratch/nothing "$setpriv" "$@" "$scratch/bin/mqdump" --pid "$job" \
        > "$scratch/out" 2> "$scratch/err"
    check_equal "$refused_name: exit status" $? 2
    check_golden "$refused_name" "$(cat "$scratch/out"; errors)"
}

sleep 900 &
job=$!
jobs_started="$jobs_started $job"
known JOB "$job"
refused "another user's" --reuid 65534 --clear-groups
refused "a container" --bounding-set -sys_ptrace --inh-caps -all
stop_jobs

# ---- Other programs of the same user ---------------------------------------

cat > "$scratch/odd.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc > 1 && ptrace(PTRACE_SEIZE, atoi(argv[1]), 0, 0) != 0)
        return 1;
    if (argc == 1)
        prctl(PR_SET_DUMPABLE, 0);
    puts("ready");
    fclose(stdout);
    pause();
    return 0;
}
END
gcc -o "$scratch/tracer" "$scratch/odd.c"

# start_odd [PID]: sets odd.
start_odd() {
    "$setpriv" --reuid 65534 --clear-groups "$scratch/tracer" "$@" \
        > "$scratch/ready" &
    odd=$!
    # A tracer ends first: whom it traces has not ended until it was told so.
    jobs_started="$odd $jobs_started"
    wait_until grep -q ready "$scratch/ready"
}

start_odd
job=$odd
known ODD "$odd"
refused undumpable --reuid 65534 --clear-groups
stop_jobs

"$setpriv" --reuid 65534 --clear-groups sleep 900 &
job=$!
jobs_started="$jobs_started $job"
wait_until grep -q sleep "/proc/$job/comm"      # it is that user's now
start_odd "$job"
known TRACED "$job"
known TRACER "$odd"
refused traced --reuid 65534 --clear-groups
refused "traced, for root" --clear-groups
stop_jobs

tests_end
