# test_slurm_steps.sh - a watch of a job of Slurm's takes one step
# tier: live, long
#
# Slurm limits the steps of a job, and mqdump must not use them up: there is one
# for a watch, however long it lasts.  LOOKS is how many it takes.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/slurm.sh

requires watched-mpich
# That of the job, that of the watch, and one more.
slurm_steps=3
slurm_require 2 4
slurm_hangs ring_recv n1 n2
$mqdump --slurm "$id" --watch 1 --settle 0.2 --looks 2 --verbose \
    > "$scratch/out" 2> "$scratch/err" &
watch=$!
looks() { grep -c 'were sampled at' "$scratch/err"; }
has_looked() { [ "$(looks)" -ge "${LOOKS:-20}" ]; }
wait_until has_looked || fail 'many looks' < "$scratch/err"
kill $watch
wait $watch 2> /dev/null
check_equal 'steps used by a watch' "$(srun --overlap --jobid="$id" -N 1 -n 1 \
    --quiet printenv SLURM_STEP_ID)" 2

tests_end
