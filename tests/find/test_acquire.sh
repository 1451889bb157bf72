# test_acquire.sh - whole jobs, by launcher or by any process
# tier: live
#
# Whole jobs, found by the process that started them or, as the MPI-2 draft has
# it, by any; and what is said of tables that are not as they should be.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils
job_folder=$BUILD/job/le64

all_receive='0 MPI_Recv,1 MPI_Recv'

# ---- Jobs that run already -------------------------------------------------

start_job le64 3 --keep-sends 1 pending
known JOB "$job"
$mqdump --raw --pid "$(job_pids)" > "$scratch/wanted"
$mqdump --raw --job "$job" > "$scratch/got" 2> "$scratch/err"
check_equal "--job: exit status" $? 0
check_equal "--job: stderr" "$(errors)" ""
check_same "--job" "$scratch/got" "$scratch/wanted"
$mqdump --verbose --raw --job "$job" > "$scratch/got" 2> "$scratch/err"
check_golden "--job: its state" "$(grep MPIR_debug_state "$scratch/err")"
check_runs "--job"
rank=$(pgrep -P "$job" | tail -n 1)
known RANK "$rank"
golden "--job RANK" "$mqdump" --job "$rank"
kill -KILL "$rank"
wait_until has_ended "$rank"
$mqdump --verbose --all --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "rank 2 gone: exit status" $? 1
check_equal "rank 2 gone" "$(ranks_in "$scratch/out")" "$all_receive"
check_golden "rank 2 gone" "$(grep -w "$rank" "$scratch/err")"
stop_jobs

"$job_folder/starter" --program "$job_folder/job" --ranks 2 \
    --counters "$scratch/counters" --keep-sends 1 pending &
job=$! jobs_started=$! counters=$scratch/counters ranks=2
wait_until job_is_ready
$mqdump --all --job "$job" > "$scratch/out" 2> "$scratch/err"
check_equal "a starter" "$(ranks_in "$scratch/out")" "$all_receive"
check_runs "a starter"
stop_jobs

"$job_folder/job-mpi2dd" --ranks 2 --counters "$scratch/counters2" \
    --keep-sends 1 pending &
job=$! jobs_started=$! counters=$scratch/counters2
wait_until job_is_ready
for process in $(job_pids | tr , ' '); do
    $mqdump --all --job "$process" > "$scratch/out" 2> "$scratch/err"
    check_equal "MPI-2, any process" "$(ranks_in "$scratch/out")" "$all_receive"
done
known DIRECTORY "$job"
$mqdump --verbose --raw --job "$job" > "$scratch/out" 2> "$scratch/err"
check_golden "MPI-2: flags" "$(grep MPI2DD_MPIFLAG "$scratch/err")"
check_runs "MPI-2"
stop_jobs

golden "--job of nobody" "$mqdump" --job 99999999
golden "--job x" "$mqdump" --job x
sleep 900 &
other=$!
golden "--job of sleep" "$mqdump" --job "$other"
kill "$other"
cp "$(command -v sleep)" "$scratch/mpiexec.hydra"
"$scratch/mpiexec.hydra" 900 &
other=$!
golden "--job of a young launcher" "$mqdump" --job "$other"
kill "$other"

# ---- Tables that are not as they should be ---------------------------------

start_job le64 2 --keep-sends 1 pending
here=$(uname -n) other=$(pgrep -P "$job")
known HERE "$here"
known RANK0 "$job"
known RANK1 "$other"

# with_table NAME RANKS ARGUMENT...: starts a process that publishes that table,
# and asks mqdump, with $options, for its job: which ranks it finds, what it
# says, and, if there is an error, its status.
table=$BUILD/tests/kit/table options=
with_table() {
    name=$1 wanted=$2
    shift 2
    rm -f "$scratch/ready"
    "$table" "$@" > "$scratch/ready" &
    starter=$!
    wait_until grep -qs ready "$scratch/ready"
    $mqdump --all $options --job "$starter" > "$scratch/out" 2> "$scratch/err"
    status=$?
    kill -KILL "$starter"
    wait "$starter" 2> /dev/null
    check_equal "$name" "$(ranks_in "$scratch/out")" "$wanted"
    # Some addresses depend on the system.
    check_golden "$name" "$(errors | sed 's/0x[0-9a-f]*: .*/ADDRESS: .../
        s/\(process\) '"$starter"'\b/\1 STARTER/')
$([ $status -ne 2 ] || echo exit $status)"
}

with_table "other hosts" '0 MPI_Recv,2 MPI_Recv' "$here,$job_folder/job,$job" \
    "node1.example,/home/u/job,4711" "$here,$job_folder/job,$other" \
    "node1.example,/home/u/job,4713" "node2.example,-,4714"

# A name of the program says nothing that this host does not.
with_table "no names" "$all_receive" "$here,-,$job" "$here,=,$other"

# The starter names the DLL for ranks that do not, or forbids to look.
cp "$BUILD/libtvmpich.so" "$scratch/starters.so"
"$table" --dll "$scratch/starters.so" "$here,-,$job" "$here,=,$other" \
    > "$scratch/ready" &
starter=$!
wait_until grep -qs ready "$scratch/ready"
$mqdump --all --verbose --job "$starter" > "$scratch/out" 2> "$scratch/err"
kill -KILL "$starter"
wait "$starter" 2> /dev/null
check_equal "a starter's DLL" "$(ranks_in "$scratch/out")" "$all_receive"
check_golden "a starter's DLL" "$(grep MPIR_dll_name "$scratch/err" | sort -u)"
table=$scratch/ignoring
if objcopy --redefine-sym MPIR_i_am_starter=MPIR_Ignore_queues \
    "$BUILD/tests/kit/table" "$table"; then
    with_table MPIR_Ignore_queues '0 MPI_Recv' "$here,-,$job"
    check_golden "MPIR_Ignore_queues: why" \
        "$(sed -n '/queues/{N; p;}' "$scratch/out")"
fi
table=$BUILD/tests/kit/table

with_table "an abort" '0 MPI_Recv' --state 2 --abort 'out of luck' \
    "$here,$job_folder/job,$job"
with_table "unreadable names" '0 MPI_Recv,2 MPI_Recv' \
    "!,$PWD/$job_folder/job,$job" "-,-,$other" "$here,!,$other"
for size in -1 2147483647; do
    with_table "size $size" "$all_receive" --size $size \
        "$here,$job_folder/job,$job" "$here,$job_folder/job,$other"
done
with_table "a null table" '' --table null "$here,$job_folder/job,$job"
with_table "pid -1" '0 MPI_Recv' --size 2 "$here,$job_folder/job,$job" \
    "$here,$job_folder/job,-1"
with_table "listed twice" '0 MPI_Recv' "$here,$job_folder/job,$job" \
    "$here,$job_folder/job,$job"
stop_jobs
tests_end
