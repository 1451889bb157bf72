# test_slurm_run.sh - mqdump run in a Slurm batch job
# tier: live, long
#
# Hydra has Slurm start its ranks on nodes, and srun all of them: they are not
# below the command that mqdump runs.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/slurm.sh

requires mpicc.mpich
slurm_require 1 4
mpicc.mpich -w -g -O1 -o "$scratch/hangs" tests/programs/hangs/hangs.c -pthread

job_has_ended() { [ -s "$scratch/status" ]; }

# check_ends COMMAND...: hangs in each rank of it are noticed, and it is ended.
check_ends() {
    rm -f "$scratch"/ready.* "$scratch/status"
    cat > "$scratch/batch" << END
#!/bin/sh
timeout -s KILL 120 $(realpath "$mqdump") run --stuck-after 5 -- $* \\
    $scratch/hangs ring_recv $scratch/ready > $scratch/said 2>&1
echo \$? > $scratch/status
END
    sbatch -w n1 -N 1 -n 2 -o "$scratch/job" "$scratch/batch" > "$scratch/id"
    wait_until job_has_ended || fail "$1: it ends" < "$scratch/said"
    check_equal "$1: status" "$(cat "$scratch/status")" 124
    check_contains "$1" "$(cat "$scratch/said")" "hung"
    check_equal "$1: what is left" "$(pgrep -f "^$scratch/hangs" | wc -l)" 0
}

check_ends mpiexec.mpich -n 2
check_ends srun --mpi=pmi2 -n 2

tests_end
