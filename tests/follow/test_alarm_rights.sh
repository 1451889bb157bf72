# test_alarm_rights.sh - rights of a watch by root
# tier: live
#
# Root watches a user's job with that user's rights, and has root's command run
# when it stands still.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb setpriv root
user=4242
chmod 755 "$scratch"
cp "$BUILD/job/le64/job" "$scratch/job"
mkdir "$scratch/counters"
chown "$user" "$scratch/counters"

ranks=2 counters=$scratch/counters/file
setpriv --reuid "$user" --regid "$user" --clear-groups "$scratch/job" \
    --ranks $ranks --counters "$counters" pending &
job=$!
jobs_started=$job
wait_until job_is_ready

# shellcheck disable=SC2016 # it is for the command's shell
timeout 300 "$mqdump" --watch 0.2 --until-stuck --verbose --pid "$(job_pids)" \
    --on-stuck 'ps -o uid= -p $PPID,$$ > "'"$scratch"'/ran"
        cat > "'"$scratch"'/got"' > "$scratch/out" 2> "$scratch/err"
check_equal "it stands still" $? 1
golden_lines "rights" "user $user"
check_equal "command: rights" "$(tr -s ' \n' ' ' < "$scratch/ran")" \
    " 0 0 "
check_golden "command: report" "$(head -n 1 "$scratch/got")"
stop_jobs
tests_end
