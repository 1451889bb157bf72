# test_healthy.sh - healthy programs, live
# tier: live, long
#
# Programs that go on, looked at as they run: none hangs for certain, and one
# may seem to in at most 2 of 100 looks.
#
# LOOKS says how often each is looked at.  Of a few looks, one may be that.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

looks=${LOOKS:-4}

requires elfutils

for program in workers halo pairs shift bcasts alltoalls; do
    start_job le64 4 "$program"
    pids=$(job_pids)
    possible=0 certain=0 i=0
    while [ $i -lt "$looks" ]; do
        $mqdump --format json --pid "$pids" > "$scratch/report" \
            2> "$scratch/err"
        status=$?
        verdict=$(sed -n 's/^  "verdict": "\(.*\)",$/\1/p' "$scratch/report")
        case $status,$verdict in
        0,none | 0,held-up) ;;
        1,possible-deadlock) possible=$((possible + 1)) ;;
        *)
            certain=$((certain + 1))
            cat "$scratch/err" "$scratch/report" | fail "$program, look $i"
            ;;
        esac
        i=$((i + 1))
    done
    check_equal "$program: deadlocks in $looks looks" $certain 0
    check_equal "$program: $possible of $looks looks" \
        $((possible * 50 <= looks || possible == 1)) 1
    check_runs "$program"
    stop_jobs
done

tests_end
