# test_refused.sh - processes that the kernel lets nobody look at
# tier: live
#
# Processes that the kernel lets nobody look at: which rule it is, and what helps,
# with no gdb in PATH; test_refusal.c has those that this kernel does not.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if [ "$(id -u)" -ne 0 ] || ! have setpriv; then
    skip "processes that are refused" "only root can become another user"
    tests_end
fi
case $("$mqdump" --version) in
*elfutils*) ;;
*)
    skip "processes that are refused" "this build has no elfutils"
    tests_end
    ;;
esac

mkdir -m 755 "$scratch/bin"
cp "$mqdump" "$BUILD"/*.py "$BUILD/libtvmpich.so" "$scratch/bin"
chmod 755 "$scratch"
setpriv=$(command -v setpriv)

# refused NAME SENTENCE OPTION...: what setpriv's options make of mqdump.
refused() {
    refused_name=$1 sentence=$2
    shift 2
    PATH=$scratch/nothing "$setpriv" "$@" "$scratch/bin/mqdump" --pid "$job" \
        > "$scratch/shown" 2> "$scratch/said"
    check_equal "$refused_name: exit status" $? 2
    check_contains "$refused_name" "$(cat "$scratch/said")" "$sentence"
}

sleep 900 &
job=$!
jobs_started="$jobs_started $job"
refused "another user's" "not permitted to attach to process $job: it is user \
0's; run mqdump as that user or as root" --reuid 65534 --clear-groups
refused "a container" "not permitted to attach to process $job: it has \
capabilities that mqdump lacks here, as in a container; start that with \
--cap-add=SYS_PTRACE" --bounding-set -sys_ptrace --inh-caps -all
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
refused "one that forbids it" "not permitted to attach to process $job: its own \
user 65534 may not trace it, since its program has privileges, or has forbidden \
that (PR_SET_DUMPABLE); run mqdump as root" --reuid 65534 --clear-groups
stop_jobs

"$setpriv" --reuid 65534 --clear-groups sleep 900 &
job=$!
jobs_started="$jobs_started $job"
wait_until grep -q sleep "/proc/$job/comm"      # it is that user's now
start_odd "$job"
refused "one that is traced" "process $job is being debugged by process $odd \
(tracer): end that" --reuid 65534 --clear-groups
refused "the same for root" "process $job is being debugged by process $odd \
(tracer): end that" --clear-groups
stop_jobs

tests_end
