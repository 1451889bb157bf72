# Processes that the kernel lets nobody look at: which rule it is, and what helps,
# with no gdb in PATH; test_refusal.c has those that this kernel does not.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/harness.sh
. tests/live.sh

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

tests_end
