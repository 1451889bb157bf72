# test_agents.sh - no process survives killed agents
# tier: live, long
#
# The mqdump that watches, its launcher or an agent is killed at any moment: no
# agent is left, no rank is stopped, and the job goes on.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/slurm.sh

requires watched-mpich
lacks=$(slurm_lacks)
if [ -n "$lacks" ]; then
    skip "the rest" "$lacks"
    tests_end
fi
if ! slurm_start 2 4; then
    cat "$slurm/said" "$slurm"/*.log | fail "Slurm starts"
    tests_end
fi
mpicc.mpich -w -g -O1 -o "$scratch/hangs" tests/programs/hangs/hangs.c -pthread
id=$(sbatch --parsable -N 2 --ntasks-per-node=2 -o "$scratch/job" --wrap \
    "srun --mpi=pmi2 $scratch/hangs ring_recv $scratch/ready")
is_ready() { [ "$(find "$scratch" -name 'ready.*' | wc -l)" -eq 4 ]; }
wait_until is_ready || fail "the job starts" < "$scratch/job"
pids=$(cat "$scratch"/ready.* | paste -sd ' ')

agents() { pgrep -f "^$(cd "$BUILD" && pwd)/mqdump .*--agent"; }
are_gone() { [ -z "$(agents)" ]; }
watches() { [ -n "$(agents)" ]; }
are_free() {
    for pid in $pids; do
        ! grep -q '^State:.*[Tt]' "/proc/$pid/task"/*/status || return 1
    done
}

for i in $(seq "${KILLS:-9}"); do
    case $((i % 3)) in
    0) victim=root ;;
    1) victim=launcher ;;
    *) victim=agent ;;
    esac
    $mqdump --slurm "$id" --watch 1 > "$scratch/out" 2> "$scratch/err" &
    root=$!
    wait_until watches || fail "$i: agents start" < "$scratch/err"
    # Any moment of a round, another one each time.
    sleep "0.$((i * 37 % 100 + 100))"
    case $victim in
    root) kill -KILL $root ;;
    launcher) kill -KILL "$(pgrep -o -f "^srun --overlap --jobid=$id ")" ;;
    *) kill -KILL "$(agents | head -n 1)" ;;
    esac
    [ $victim = root ] || kill -TERM $root
    wait $root 2> /dev/null
    wait_until are_gone || agents | fail "$i: $victim is killed: agents end"
    wait_until are_free || fail "$i: $victim is killed: ranks run" < /dev/null
done
check_equal 'the job runs' "$(squeue -h -j "$id" -o %T)" RUNNING
check_equal 'its ranks' "$(for pid in $pids; do
    [ -e "/proc/$pid" ] && echo there
done | wc -l)" 4

tests_end
