# test_slurm.sh - --slurm: all ranks of a Slurm job
# tier: live, long
#
# mqdump --slurm: all ranks of a job of Slurm's, wherever they are, in one
# command, and what it says of nodes that do not answer.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/slurm.sh

requires gdb watched-mpich
slurm_require 3 4

# show ARGUMENT...: its status is $status, what it says on the job $scratch/out.
show() {
    $mqdump "$@" > "$scratch/out" 2> "$scratch/err"
    status=$?
}


# ---- Nodes that answer -----------------------------------------------------

slurm_hangs ring_recv n1 n2
show --slurm "$id" --within 300 --format json
check_equal 'two nodes: status, stderr' "$status $(errors)" '1 '
# The looks at both have a moment in common.
check_equal 'two nodes: verdict' "$(verdict_in "$scratch/out")" deadlock
check_contains 'two nodes: nodes' "$(cat "$scratch/out")" ' of n2"'
show --slurm "$id" --within 300
deadlock=$(head -n 1 "$scratch/out")
check_golden 'two nodes' "$deadlock"

# An agent starts late, and its rounds with it: they get long enough.
cat > "$scratch/late" << END
#!/bin/sh
[ \$SLURMD_NODENAME != n2 ] || sleep 2
exec $(cd "$BUILD" && pwd)/mqdump "\$@"
END
chmod +x "$scratch/late"
show --slurm "$id" --within 300 --settle 0.05 --mqdump-there "$scratch/late"
check_equal 'a late agent' "$(head -n 1 "$scratch/out")" "$deadlock"

# srun lists its ranks, and where they are.
show --job "$(pgrep -o -f "^srun --mpi=pmi2 .*$scratch/hangs")"
check_golden 'srun --job' "$(grep -e --pid "$scratch/err" |
    sed 's/\(--[a-z-]*\) [0-9,]*/\1 N/g')"

show --slurm "$id" --within 300 --hosts n2 --verbose --digest "$scratch/digest"
check_equal 'one node: status' $status 0
check_golden 'one node' "$(grep -e 'agents on' -e 'has 2 ranks' "$scratch/err")"
check_equal 'one node: digest' \
    "$(grep -c '^process ' "$scratch/digest")" 2

$mqdump --slurm "$id" --within 300 --watch 1 --until-stuck \
    > "$scratch/out" 2> "$scratch/err"
status=$?
check_equal 'watched: status' $status 1
check_contains 'watched' "$(errors)" ' is hung'
check_equal 'watched: report' "$(head -n 1 "$scratch/out")" "$deadlock"

# Only if it has stood still for so long.
begin=$(date +%s)
$mqdump --slurm "$id" --within 300 --watch 1 --until-stuck --stuck-after 5 \
    > "$scratch/out" 2> "$scratch/err"
check_equal '--stuck-after: status' $? 1
check_equal '--stuck-after: time' \
    $(($(date +%s) - begin >= 5)) 1

# What is certain is so whatever other ranks do.
hung=$id
slurm_hangs pair_beside_others n1 n2
timeout 200 $mqdump --slurm "$id" --within 300 --watch 1 --until-stuck \
    --format json > "$scratch/out" 2> "$scratch/err"
check_equal 'beside others: status' $? 1
check_equal 'beside others: certain' "$(grep -c '"stuck": "certain"' \
    "$scratch/out")" 2
scancel "$id"
id=$hung

# A rank computes, and all others wait for it for longer than the user wants.
slurm_hangs held_by_loop n1 n2
$mqdump --slurm "$id" --within 300 --watch 1 --until-stuck --no-progress 4 \
    --format json > "$scratch/out" 2> "$scratch/err"
check_equal '--no-progress: status' $? 1
golden_lines '--no-progress' --no-progress
check_golden '--no-progress: summary' \
    "$(grep -o 'ranks 0, 1, 2 wait for rank 3' "$scratch/out" | head -n 1)"
scancel "$id"
id=$hung
ranks=4

# A job that says its name in the batch script needs no other.
golden 'no --slurm' $mqdump --hosts n1 --launcher slurm --world 4711.0

# ---- Nodes that do not -----------------------------------------------------

slurm_kill n2
# The step fails on both: n1 is asked again without it.
show --slurm "$id" --within 300 --hosts n2,n1
check_golden 'n2 gone' "$(sed -n 's/answer.*/answer/p' "$scratch/err")"
check_contains 'n2 gone: its ranks' "$(cat "$scratch/out")" 'ranks 2, 3'
check_contains 'n2 gone: n1' "$(cat "$scratch/out")" 'rank 0 in MPI_Recv'

tests_end
