# test_live_errors.sh - what people are told whose queues cannot be shown
# tier: live
#
# What people are told who cannot be shown a process's queues.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

# check_error NAME SENTENCE ARGUMENT...: that mqdump says just this and ends
# with status 2, and shows nothing.
check_error() {
    name=$1 wanted="mqdump: $2"
    shift 2
    $mqdump "$@" > "$scratch/shown" 2> "$scratch/err"
    check_equal "$name: exit status" $? 2
    check_equal "$name" "$(cat "$scratch/shown"; errors)" "$wanted"
}

check_error "no number" \
    "--pid 12,x: it takes comma-separated numbers" --pid 12,x
check_error "no rank" "--ranks-are 1,: it takes comma-separated numbers" \
    --ranks-are 1, --pid $$
$mqdump --progress -j 1 --pid "$$,$$" > "$scratch/shown" 2> "$scratch/said"
check_contains "how far it is, where there is no terminal" \
    "$(cat "$scratch/said")" "of 2 processes read"
$mqdump --pid "$$,$$" > "$scratch/shown" 2> "$scratch/said"
check_equal "that is not told unasked" "$(grep -c 'processes read' "$scratch/said")" 0

# The parent waits in the kernel for its child, which calls nothing that ends
# that: no signal reaches it, and a tracer would wait as long.
cat > "$scratch/held.c" << 'END'
#include <unistd.h>
int main(void)
{
    if (vfork() == 0) {
        alarm(900);
        pause();
        _exit(0);
    }
    return 0;
}
END
gcc -o "$scratch/held" "$scratch/held.c"
"$scratch/held" &
held=$!
child_waits() { [ "$(state_of "$(pgrep -P $held)")" = S ]; }
wait_until child_waits
if [ "$(state_of $held)" = D ]; then
    check_error "out of reach" "process $held cannot be stopped: its thread \
$held is in the kernel (state D, in vfork), which no signal ends; it waits for \
a process that it has started to execute a program or to end: look at its \
children" --pid $held
else
    skip "out of reach" "the system has no such state"
fi
kill -KILL "$(pgrep -P $held)"
wait $held

sleep 900 &
other=$!
jobs_started="$jobs_started $other"
is_sleep() { readlink "/proc/$other/exe" | grep -q '/sleep$'; }
wait_until is_sleep
sleep=$(readlink "/proc/$other/exe")
dll=$(readlink -f "$BUILD/libtvmpich.so")

sh -c 'exit 0' &
gone=$!
wait $gone
check_error "no such process" "there is no process $gone on this host" \
    --pid $gone
itself=$(sh -c 'exec "$1" --pid $$' sh "$BUILD/mqdump" 2>&1)
check_contains "its own number" "$itself" "runs mqdump, which"
check_error "not an MPI program" "process $other: $dll does not recognise the \
MPI library in $sleep (This image holds no MPICH 1.x message queues); is it \
an MPI program, and has it called MPI_Init?" \
    --pid $other

check_error "no such program" "cannot read the program '$scratch/no': No such \
file or directory" --core "$scratch/no" "$scratch/core"
check_error "no such core file" "cannot read the core file '$scratch/core': \
No such file or directory" --core "$sleep" "$scratch/core"
check_error "no such types" "cannot read the object file '$scratch/no.o': No \
such file or directory" --types "$scratch/no.o" --pid $other

$mqdump --core "$sleep" tests/kit/harness.sh \
    > "$scratch/shown" 2> "$scratch/said"
check_equal "not a core file: exit status" $? 2
check_contains "not a core file" "$(cat "$scratch/said")" \
    "mqdump: cannot use the core file 'tests/kit/harness.sh': "

# ---- Jobs -----------------------------------------------------------------

start_job le64 1 pending
if [ "$(id -u)" -eq 0 ] && have setpriv; then
    # Another user may not see this folder.
    mkdir -m 755 "$scratch/bin"
    cp "$mqdump" "$BUILD/libtvmpich.so" "$scratch/bin"
    chmod 755 "$scratch"
    own=$mqdump
    mqdump="setpriv --reuid 65534 --clear-groups $scratch/bin/mqdump"
    check_error "not permitted" "not permitted to attach to process $job: it \
is user 0's; run mqdump as that user or as root" --pid "$job"
    mqdump=$own
else
    skip "not permitted" "only root can become another user, with setpriv"
fi

# A gdb that holds the process for as long as there is a file.
: > "$scratch/held"
gdb -nx -q -batch -p "$job" -ex "python
import os, time
while os.path.exists('$scratch/held'): time.sleep(0.05)" \
    > "$scratch/gdb.log" 2>&1 &
tracer=$!
wait_until grep -q "TracerPid:.$tracer" "/proc/$job/status"
check_error "debugged already" "process $job is being debugged by process \
$tracer (gdb): end that, or use the command mqdump in that gdb" --pid "$job"
rm "$scratch/held"
wait_until has_ended $tracer

$mqdump --record "$scratch/record" --pid "$job" > "$scratch/shown"
check_error "recorded twice" "$scratch/record/rank-00000.mqsnap exists \
already: record to another folder" --record "$scratch/record" --pid "$job"
check_error "no place to record" "cannot make the folder /dev/null/x: Not a \
directory" --record /dev/null/x --pid "$job"
check_runs "after errors"
stop_jobs

JOB_RANK=0 JOB_DEBUGGED=1 "$BUILD/job/le64/job-premain" --ranks 1 pending &
job=$!
jobs_started="$jobs_started $job"
stands_before_main() { [ "$(state_of "$job")" = T ]; }
wait_until stands_before_main
check_error "MPI_Init not reached" "process $job: it has no communicators: it \
has not reached MPI_Init, or has passed MPI_Finalize; try again later" \
    --pid "$job"
stop_jobs

# The job's MPI as a library of its own that has symbols, but no types.
(
    cd tests/programs/mpi_job || exit
    gcc -std=gnu99 -fPIC -shared -o "$scratch/libjob.so" queues.c calls.c \
        collectives.c comms.c pointers.c objects.c start.c mail.c options.c
    gcc -std=gnu99 -o "$scratch/job" job.c programs.c "$scratch/libjob.so" \
        -pthread
)
"$scratch/job" --ranks 1 pending &
job=$!
jobs_started="$jobs_started $job"
check_error "no debug information" "process $job: $scratch/job has no debug \
information of its MPI library: the type 'MPID_QHDR' is missing; name an \
object file that describes it with --types OBJECT" --pid "$job"

# type_object NAME TYPE...: an object file that describes these types.
type_object() {
    object=$scratch/$1.o
    shift
    {
        echo '#include "mpir_variables.h"'
        for type in "$@"; do
            echo "$type *of_$type;"
        done
        # What it defines itself is not the process's.
        echo "MPID_QHDR MPID_recvs; int MPID_MyWorldRank;"
    } > "$scratch/types.c"
    gcc -g -c -I tests/programs/mpi_job -o "$object" "$scratch/types.c"
}

type_object some MPIR_SHANDLE MPIR_SQUEUE
check_error "a type is missing" "process $job: The debug information \
lacks the type MPIR_Comm_list, so the message queues of $scratch/job cannot be \
shown; was its MPI library compiled with -g? Or name an object file that \
describes it with --types OBJECT" --types "$scratch/some.o" --pid "$job"

# A program that was deleted is read all the same.
rm "$scratch/job"
type_object all MPIR_SQEL MPIR_SQUEUE MPIR_RHANDLE MPIR_SHANDLE \
    MPIR_Comm_list MPIR_Communicator
$mqdump --types "$scratch/all.o" --pid "$job" > "$scratch/shown"
check_equal "types from an object file: a deadlock is found" $? 1
check_contains "a program that was deleted" "$(cat "$scratch/shown")" \
    "rank 0 in MPI_Recv: $scratch/job"
check_contains "types from an object file" "$(cat "$scratch/shown")" \
    "receive     0/0           7777       4  pending"
stop_jobs

tests_end
