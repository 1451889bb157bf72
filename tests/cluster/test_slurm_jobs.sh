# test_slurm_jobs.sh - which jobs and steps of Slurm's are read
# tier: live, long
#
# Of several steps, or tasks of an array, one has to be chosen; jobs that do not
# run are refused.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/slurm.sh

requires watched-mpich
slurm_require 2 4
slurm_hangs ring_recv n1 n2

# ---- Jobs that are not read ------------------------------------------------

known JOB "$id"
scontrol suspend "$id"
golden 'a suspended job' $mqdump --slurm "$id"
scontrol resume "$id"
scancel "$id"
is_past() { [ "$(squeue -h --states=all -j "$id" -o %T)" = CANCELLED ]; }
wait_until is_past || squeue | fail 'the job ends'
golden 'a past job' $mqdump --slurm "$id"
golden 'an unknown job' $mqdump --slurm 999
golden 'not a job' $mqdump --slurm '7;x'

# ---- Several steps, or jobs ------------------------------------------------

cat > "$scratch/batch" << END
#!/bin/sh
srun --overlap -n 2 --mpi=pmi2 $scratch/hangs ring_recv $scratch/ready &
until [ -e $scratch/ready.0 ]; do sleep 0.1; done
srun --overlap -n 2 --mpi=pmi2 $scratch/hangs ring_ssend $scratch/ready.two &
wait
END
chmod +x "$scratch/batch"
rm -f "$scratch"/ready.*
id=$(sbatch --parsable -w n1,n2 -N 2 --ntasks-per-node=1 -o "$scratch/job" \
    "$scratch/batch")
known JOB "$id"
ranks=4
wait_until slurm_is_ready || fail 'two steps start' < "$scratch/job"
golden 'two steps' $mqdump --slurm "$id" --within 300
golden 'no such step' $mqdump --slurm "$id.7" --within 300
$mqdump --slurm "$id.1" --within 300 > "$scratch/out" 2> "$scratch/err"
check_golden 'the second step' "$(headline)"
scancel "$id"

rm -f "$scratch"/ready.*
id=$(sbatch --parsable --array=0-1 -w n1 -o "$scratch/job" --wrap \
    "srun --mpi=pmi2 $scratch/hangs ring_recv $scratch/ready.\$SLURM_JOB_ID")
ranks=2
wait_until slurm_is_ready || fail 'an array starts' < "$scratch/job"
check_contains 'an array' \
    "$($mqdump --slurm "$id" 2>&1 | sed "s/${id}_./TASK/g")" \
    'has several parts, such as TASK: name one of them'

tests_end
