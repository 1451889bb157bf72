# test_complete_answers.sh - a DLL that exits does not truncate a report
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

# check_way NAME WAY ARGUMENT...: that mqdump fails, and says so.
check_way() {
    name="$1, $2" way=$2
    shift 2
    EXITS=$way timeout 60 $mqdump --dll "$dll" "$@" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "$name: exit status" $? 2
    check_golden "$name" "$(errors)"
}

for way in exit _exit; do
    check_way table $way "$scratch/job.mqsnap"
    check_way raw $way --raw "$scratch/job.mqsnap"
    check_way digest $way --digest "$scratch/digest" "$scratch/job.mqsnap"
done
check_equal "no digest" "$(ls "$scratch"/digest* \
    2> "$scratch/err")" ""
check_way table abort "$scratch/job.mqsnap"

# With a right DLL the status is what it was.
EXITS=no $mqdump --dll "$dll" "$scratch"/job.mqsnap > "$scratch/out" 2>&1
wanted=$?
$mqdump "$scratch/job.mqsnap" > "$scratch/out" 2>&1
check_equal "a right DLL" $wanted $?

if have gdb; then
    start_job le64 1 pending
    for way in exit _exit; do
        check_way process $way --pid "$job"
    done
    check_runs "a process"
    stop_jobs
else
    skip "a process" "no gdb"
fi

tests_end
