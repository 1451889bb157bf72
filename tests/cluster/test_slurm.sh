# test_slurm.sh - all ranks of a job of Slurm's in one command
# tier: live, long
#
# mqdump --slurm: all ranks of a job of Slurm's, wherever they are, in one
# command, and what it says of nodes that do not answer.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/slurm.sh

lacks=$(slurm_lacks)
[ -e "$BUILD/libmqwatch-mpich.so" ] || lacks="there is no MPICH (libmpich-dev)"
have gdb || lacks="there is no gdb"
if [ -n "$lacks" ]; then
    skip "a job of Slurm's" "$lacks"
    tests_end
fi

if ! slurm_start 3 4; then
    cat "$slurm/said" "$slurm"/*.log | fail "Slurm starts"
    tests_end
fi
mpicc.mpich -w -g -O1 -o "$scratch/hangs" tests/programs/hangs/hangs.c -pthread

# start PROGRAM NODE...: two ranks on each node; the job is $id.
start() {
    rm -f "$scratch"/ready.*
    program=$1
    shift
    nodes=$(echo "$*" | tr ' ' ',')
    id=$(sbatch --parsable -w "$nodes" -N $# --ntasks-per-node=2 \
        -o "$scratch/job" --export="ALL,LD_PRELOAD=" --wrap "srun --mpi=pmi2 \
        env LD_PRELOAD=$(cd "$BUILD" && pwd)/libmqwatch-mpich.so \
        $scratch/hangs $program $scratch/ready")
    ranks=$(($# * 2))
    wait_until is_ready || fail "the job starts" < "$scratch/job"
}

is_ready() { [ "$(find "$scratch" -name 'ready.*' | wc -l)" -eq $ranks ]; }

# show ARGUMENT...: its status is $status, what it says on the job $scratch/out.
show() {
    $mqdump "$@" > "$scratch/out" 2> "$scratch/err"
    status=$?
}

# check_shown NAME STATUS SENTENCE
check_shown() {
    check_equal "$1: what is said" "$(errors)" ''
    check_equal "$1: exit status" $status "$2"
    check_contains "$1" "$(tr -s ' \n' '  ' < "$scratch/out")" "$3"
}

# ---- Nodes that answer -----------------------------------------------------

deadlock="ranks 0, 1, 2, 3 $each_other in MPI_Recv"
start ring_recv n1 n2
show --slurm "$id" --within 300
check_shown 'two nodes' 1 "$deadlock"

# What hosts saw one after the other is not certain.
check_contains 'two nodes' "$(head -n 1 "$scratch/out")" 'Possible deadlock'

# srun lists its ranks, and where they are.
show --job "$(pgrep -o -f "^srun --mpi=pmi2 .*$scratch/hangs")"
check_contains 'the process id of srun' "$(errors)" \
    'run on n2: mqdump --pid '

# n1 asks n2.
show --slurm "$id" --within 300 --fanout 1 --format json
check_shown 'a chain of nodes' 1 "$deadlock"
check_contains 'where a rank is' "$(cat "$scratch/out")" ' of n2"'

show --slurm "$id" --within 300 --hosts n2 --verbose --digest "$scratch/digest"
check_equal 'one node of two: exit status' $status 0
check_contains 'one node of two' "$(errors)" \
    'n2 answers for 1 host: 2 ranks'
check_equal 'one node of two: a digest of it' \
    "$(grep -c '^process ' "$scratch/digest")" 2

# Until it stands still, which two looks tell; one that goes on is watched.
$mqdump --slurm "$id" --within 300 --watch 1 --until-stuck \
    > "$scratch/out" 2> "$scratch/err"
status=$?
check_equal 'watched until stuck: exit status' $status 1
check_contains 'watched until stuck' "$(errors)" \
    ': the job is hung'
check_contains 'watched until stuck: the report' \
    "$(tr -s ' \n' '  ' < "$scratch/out")" "$deadlock"

# Only if it has stood still for so long.
begin=$(date +%s)
$mqdump --slurm "$id" --within 300 --watch 1 --until-stuck --stuck-after 5 \
    > "$scratch/out" 2> "$scratch/err"
check_equal 'stuck after a time: exit status' $? 1
check_equal 'stuck after a time: not before' \
    $(($(date +%s) - begin >= 5)) 1

# A rank computes, and all others wait for it for longer than the user wants.
hung=$id
start held_by_loop n1 n2
$mqdump --slurm "$id" --within 300 --watch 1 --until-stuck --no-progress 4 \
    --format json > "$scratch/out" 2> "$scratch/err"
check_equal 'no progress on hosts: exit status' $? 1
check_contains 'no progress on hosts' "$(errors)" 'needs a longer --no-progress'
check_contains 'no progress on hosts: whom it waits for' \
    "$(grep '"summary"' "$scratch/out")" 'for rank 3'
scancel "$id"
id=$hung
ranks=4

# A job that says its name in the batch script needs no other.
show --hosts n1 --launcher slurm --world "$id.0" 2> "$scratch/err"
check_equal 'a job that is not named: exit status' $status 2
check_contains 'a job that is not named' "$(errors)" \
    'the job is not known'

# ---- Nodes that do not -----------------------------------------------------

slurm_kill n2
# n2, which is to ask n1, is not there: n1 is asked without it.
show --slurm "$id" --within 300 --hosts n2,n1 --fanout 1
check_contains 'a node that is gone' "$(errors)" \
    'mqdump: n2 does not answer'
check_equal 'a node that is gone: one is named' \
    "$(grep -c 'answer' "$scratch/err")" 1
check_contains 'a node that is gone: its ranks' "$(cat "$scratch/out")" \
    'ranks 2, 3'
check_contains 'a node that is gone: the other is asked' \
    "$(cat "$scratch/out")" 'rank 0 in MPI_Recv'

# ---- Jobs that are none ----------------------------------------------------

fails 'a job that is over' '' --slurm 999
fails 'a word that is no job' 'no job of Slurm' --slurm '7;x'

tests_end
