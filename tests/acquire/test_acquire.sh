# test_acquire.sh - whole jobs, found by their starters or by any process
# tier: live
#
# Whole jobs, found by the process that started them or, as the MPI-2 draft has
# it, by any; and what is said of tables that are not as they should be.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if ! reads_directly; then
    skip "whole jobs" "this build has no elfutils"
    tests_end
fi
job_folder=$BUILD/job/le64

all_receive='0 MPI_Recv,1 MPI_Recv'

# ---- Jobs that run already -------------------------------------------------

start_job le64 3 --keep-sends 1 pending
$mqdump --raw --pid "$(job_pids)" > "$scratch/wanted"
$mqdump --raw --job "$job" > "$scratch/got" 2> "$scratch/err"
check_equal "--job: exit status" $? 0
check_equal "--job: nothing to complain about" "$(errors)" ""
check_same "--job" "$scratch/got" "$scratch/wanted"
$mqdump --verbose --raw --job "$job" > "$scratch/got" 2> "$scratch/err"
check_contains "--job" "$(errors)" "process $job: MPIR_debug_state \
is 1: the job has been spawned (MPIR_DEBUG_SPAWNED)"
check_runs "--job"
rank=$(pgrep -P "$job" | tail -n 1)
fails '--job of a rank' "process $rank lists no processes of a job: name the \
process that started the job" --job "$rank"
kill -KILL "$rank"
wait_until has_ended "$rank"
$mqdump --verbose --all --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "a rank is gone: exit status" $? 1
check_equal "a rank is gone" "$(ranks_in "$scratch/out")" \
    '0 MPI_Recv,1 MPI_Recv'
check_contains "a rank is gone" "$(errors)" \
    "process $rank, rank 2, has ended"
stop_jobs

"$job_folder/starter" --program "$job_folder/job" --ranks 2 \
    --counters "$scratch/counters" --keep-sends 1 pending &
job=$! jobs_started=$! counters=$scratch/counters ranks=2
wait_until job_is_ready
$mqdump --all --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "--job of a starter" "$(ranks_in "$scratch/out")" "$all_receive"
check_runs "--job of a starter"
stop_jobs

"$job_folder/job-mpi2dd" --ranks 2 --counters "$scratch/counters2" \
    --keep-sends 1 pending &
job=$! jobs_started=$! counters=$scratch/counters2
wait_until job_is_ready
for process in $(job_pids | tr , ' '); do
    $mqdump --all --job "$process" > "$scratch/out" 2> "$scratch/err"
    check_equal "the MPI-2 draft, from any process" \
        "$(ranks_in "$scratch/out")" "$all_receive"
done
$mqdump --verbose --raw --job "$job" > "$scratch/out" 2> "$scratch/err"
check_contains "the MPI-2 draft: flags" "$(errors)" \
    "process $job: it is a directory (MPI2DD_MPIFLAG_I_AM_DIR)"
check_runs "the MPI-2 draft"
stop_jobs

fails '--job of no process' 'there is no process 99999999' --job 99999999
fails '--job of no number' '--job x: a process id is a number' --job x
sleep 900 &
other=$!
fails '--job of another program' "process $other is no MPI launcher, for it has \
neither MPIR_proctable nor MPI2DD_info" --job "$other"
kill "$other"

# ---- Tables that are not as they should be ---------------------------------

# with_table ARGUMENT...: starts a process that publishes that table, and asks
# mqdump, with $options, for its job.
table=$BUILD/tests/kit/table options=
with_table() {
    rm -f "$scratch/ready"
    "$table" "$@" > "$scratch/ready" &
    starter=$!
    wait_until grep -qs ready "$scratch/ready"
    $mqdump --all $options --job "$starter" > "$scratch/out" 2> "$scratch/err"
    echo $? > "$scratch/status"
    kill -KILL "$starter"
    wait "$starter" 2> /dev/null
    sed -i "s/ process $starter\\b/ process N/; s/^mqdump: //" "$scratch/err"
}

# check_said NAME STATUS < WANTED: all that is said on stderr.
check_said() {
    check_equal "$1: exit status" "$(cat "$scratch/status")" "$2"
    cat > "$scratch/wanted"
    check_same "$1" "$scratch/err" "$scratch/wanted"
}

start_job le64 2 --keep-sends 1 pending
here=$(uname -n) other=$(pgrep -P "$job")
with_table "$here,$job_folder/job,$job" "node1.example,/home/u/job,4711" \
    "$here,$job_folder/job,$other" "node1.example,/home/u/job,4713" \
    "node2.example,-,4714"
check_equal "other hosts: those here" "$(ranks_in "$scratch/out")" \
    '0 MPI_Recv,2 MPI_Recv'
check_said "other hosts" 2 << END
MPIR_proctable[4].executable_name: the pointer is null
rank 1 is on node1.example: /home/u/job, pid 4711
rank 3 is on node1.example: /home/u/job, pid 4713
run on node1.example: mqdump --pid 4711,4713 --ranks-are 1,3
rank 4 is on node2.example: program not known, pid 4714
run on node2.example: mqdump --pid 4714 --ranks-are 4
END

# A name of the program says nothing that this host does not.
with_table "$here,-,$job" "$here,=,$other"
check_equal "programs without names" "$(ranks_in "$scratch/out")" "$all_receive"
check_said "programs without names" 1 < /dev/null

# The starter names the DLL for ranks that do not, or forbids to look.
cp "$BUILD/libtvmpich.so" "$scratch/starters.so"
options=--verbose
with_table --dll "$scratch/starters.so" "$here,-,$job" "$here,=,$other"
check_equal "the starter's DLL" "$(ranks_in "$scratch/out")" "$all_receive"
check_contains "the starter's DLL" "$(errors)" "the starter's \
MPIR_dll_name names $scratch/starters.so: taken"
options=
table=$scratch/ignoring
if objcopy --redefine-sym MPIR_i_am_starter=MPIR_Ignore_queues \
    "$BUILD/tests/kit/table" "$table"; then
    with_table "$here,-,$job"
    check_equal "MPIR_Ignore_queues: the calls" "$(ranks_in "$scratch/out")" \
        '0 MPI_Recv'
    check_contains "MPIR_Ignore_queues" \
        "$(tr -s '\n ' ' ' < "$scratch/out")" "the starter of the job says \
that its message queues are not to be shown"
fi
table=$BUILD/tests/kit/table

with_table --state 2 --abort 'out of luck' "$here,$job_folder/job,$job"
check_equal "an abort" "$(ranks_in "$scratch/out")" '0 MPI_Recv'
# What is concluded of one rank of two is no concern of this test.
check_said "an abort" "$(cat "$scratch/status")" << END
process N: MPIR_debug_state is 2: the job is aborting (MPIR_DEBUG_ABORTING): \
out of luck
END

with_table "!,$PWD/$job_folder/job,$job" "-,-,$other" "$here,!,$other"
check_equal "names that cannot be read" "$(ranks_in "$scratch/out")" \
    '0 MPI_Recv,2 MPI_Recv'
check_equal "names that cannot be read: exit status" \
    "$(cat "$scratch/status")" 2
for said in 'MPIR_proctable[0].host_name: ' \
    'MPIR_proctable[1].host_name: the pointer is null' \
    'MPIR_proctable[2].executable_name: ' \
    "rank 1 is on an unknown host: program not known, pid $other"; do
    check_contains "names that cannot be read" "$(errors)" "$said"
done

for size in -1 2147483647; do
    with_table --size $size "$here,$job_folder/job,$job" \
        "$here,$job_folder/job,$other"
    check_equal "a size of $size" "$(ranks_in "$scratch/out")" \
        '0 MPI_Recv,1 MPI_Recv'
    check_contains "a size of $size" "$(errors)" "is $size, which \
no job has: the table is read up to the first entry that is no process"
done

with_table --table null "$here,$job_folder/job,$job"
check_equal "a null table: exit status" "$(cat "$scratch/status")" 2
check_contains "a null table" "$(errors)" "is null and \
MPIR_proctable_size is 1: the job's processes are not known"

with_table --size 2 "$here,$job_folder/job,$job" "$here,$job_folder/job,-1"
check_equal "a pid that is none" "$(ranks_in "$scratch/out")" '0 MPI_Recv'
check_contains "a pid that is none" "$(errors)" \
    'MPIR_proctable[1].pid is -1, which is no process'

with_table "$here,$job_folder/job,$job" "$here,$job_folder/job,$job"
check_equal "a process that is listed twice" "$(ranks_in "$scratch/out")" \
    '0 MPI_Recv'
check_contains "a process that is listed twice" "$(errors)" \
    "process $job on $here is listed as rank 0 and as rank 1"
stop_jobs
tests_end
