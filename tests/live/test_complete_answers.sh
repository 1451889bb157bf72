# test_complete_answers.sh - a DLL that ends mqdump makes no empty answer of it
# tier: live
#
# A DLL that ends mqdump does not make an empty answer of it: nothing but a
# complete answer is one.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

dll=$BUILD/tests/dlls/exits.so
"$BUILD/tests/kit/scenario" le64 > "$scratch/job.mqsnap"

# check_way WAY SENTENCE ARGUMENT...: that mqdump fails, and says so.
check_way() {
    way=$1 sentence=$2
    shift 2
    EXITS=$way timeout 60 $mqdump --dll "$dll" "$@" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "$way, $1: exit status" $? 2
    check_contains "$way, $1" "$(errors)" "$sentence"
}

for way in exit _exit; do
    for how in "$scratch/job.mqsnap" --raw --digest; do
        case $how in
        --raw) set -- --raw "$scratch/job.mqsnap" ;;
        --digest) set -- --digest "$scratch/digest" "$scratch/job.mqsnap" ;;
        *) set -- "$how" ;;
        esac
        check_way $way "the reader exited early, with status 0" "$@"
    done
done
check_equal "no digest was written" "$(ls "$scratch"/digest* \
    2> "$scratch/err")" ""
check_way abort "the reader was killed by signal 11" "$scratch/job.mqsnap"

# With a right DLL the status is what it was.
EXITS=no $mqdump --dll "$dll" "$scratch"/job.mqsnap > "$scratch/out" 2>&1
wanted=$?
$mqdump "$scratch/job.mqsnap" > "$scratch/out" 2>&1
check_equal "a DLL that does not end it: exit status" $wanted $?

if have gdb; then
    start_job le64 1 pending
    for way in exit _exit; do
        check_way $way "exited before it had finished" --pid "$job"
    done
    check_runs "after a DLL that ends its reader"
    stop_jobs
else
    skip "a DLL that ends the reader of a process" "there is no gdb"
fi

tests_end
