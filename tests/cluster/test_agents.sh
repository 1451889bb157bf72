# test_agents.sh - no process survives killed agents
# tier: live, long
#
# The mqdump that watches, its launcher, an agent or a node's slurmd is killed at
# any moment: no agent is left, no rank is stopped, and the job goes on.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/slurm.sh

requires watched-mpich
slurm_require 2 4
begin_job() {
    slurm_hangs ring_recv n1 n2
    pids=$(cat "$scratch"/ready.* | paste -sd ' ')
}
check_job() {
    check_equal "$i: the job runs" "$(squeue -h -j "$id" -o %T)" RUNNING
    check_equal "$i: its ranks" "$(for pid in $pids; do
        [ -e "/proc/$pid" ] && echo there
    done | wc -l)" 4
}

agents() { pgrep -f "^$(cd "$BUILD" && pwd)/mqdump .*--agent"; }
are_gone() { [ -z "$(agents)" ]; }
watches() { [ -n "$(agents)" ]; }
are_free() {
    for pid in $pids; do
        ! grep -q '^State:.*[Tt]' "/proc/$pid/task"/*/status || return 1
    done
}

begin_job
for i in $(seq "${KILLS:-9}"); do
    # The program of the job ends itself after some minutes.
    if [ $((i % 50)) -eq 0 ]; then
        check_job
        scancel "$id"
        begin_job
    fi
    case $((i % 4)) in
    0) victim=root ;;
    1) victim=launcher ;;
    2) victim=agent ;;
    *) victim=daemon ;;
    esac
    $mqdump --slurm "$id" --watch 1 > "$scratch/out" 2> "$scratch/err" &
    root=$!
    wait_until watches || fail "$i: agents start" < "$scratch/err"
    # Any moment of a round, another one each time.
    sleep "0.$((i * 37 % 100 + 100))"
    case $victim in
    root) kill -KILL $root ;;
    daemon) slurm_kill n2 ;;
    launcher) kill -KILL "$(pgrep -o -f "^srun --overlap --jobid=$id ")" ;;
    *) kill -KILL "$(agents | head -n 1)" ;;
    esac
    [ $victim = root ] || kill -TERM $root
    wait $root 2> /dev/null
    # Without it Slurm cannot end what is on its node.
    [ $victim != daemon ] || slurm_revive n2
    wait_until are_gone || agents | fail "$i: $victim is killed: agents end"
    wait_until are_free || fail "$i: $victim is killed: ranks run" < /dev/null
done
check_job

tests_end
