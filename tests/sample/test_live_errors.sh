# test_live_errors.sh - error messages for live processes
# tier: live
#
# What people are told who cannot be shown a process's queues.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

# check_error NAME ARGUMENT...: what mqdump says that has nothing to show.
check_error() {
    name=$1
    shift
    # shellcheck disable=SC2086 # these may be several words
    golden "$name" $mqdump "$@"
}

check_error "no number" --pid 12,x
check_error "no rank" --ranks-are 1, --pid $$
$mqdump --progress -j 1 --pid "$$,$$" > "$scratch/shown" 2> "$scratch/said"
progress='of 2 processes.*'
check_golden --progress "$(grep -o "$progress" "$scratch/said" | sort -u)"
$mqdump --pid "$$,$$" > "$scratch/shown" 2> "$scratch/said"
check_equal "no --progress" "$(grep -c "$progress" "$scratch/said")" 0

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
known HELD "$held"
if [ "$(state_of $held)" = D ]; then
    check_error "out of reach" --pid $held
else
    skip "out of reach" "no state D"
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
check_error "no such process" --pid $gone
itself=$(sh -c 'exec "$1" --pid $$' sh "$BUILD/mqdump" 2>&1)
check_golden "its own number" "$itself"
check_error "no MPI" --pid $other

check_error "no such program" --core "$scratch/no" "$scratch/core"
check_error "no core file" --core "$sleep" "$scratch/core"
check_error "no such types" --types "$scratch/no.o" --pid $other

check_error "other file" --core "$sleep" tests/kit/harness.sh

# ---- Jobs -----------------------------------------------------------------

start_job le64 1 pending
if [ "$(id -u)" -eq 0 ] && have setpriv; then
    # Another user may not see this folder.
    mkdir -m 755 "$scratch/bin"
    cp "$mqdump" "$BUILD/libtvmpich.so" "$scratch/bin"
    chmod 755 "$scratch"
    own=$mqdump
    mqdump="setpriv --reuid 65534 --clear-groups $scratch/bin/mqdump"
    check_error "not permitted" --pid "$job"
    mqdump=$own
else
    skip "not permitted" "no root"
fi

# A gdb that holds the process for as long as there is a file.
: > "$scratch/held"
gdb -nx -q -batch -p "$job" -ex "python
import os, time
while os.path.exists('$scratch/held'): time.sleep(0.05)" \
    > "$scratch/gdb.log" 2>&1 &
tracer=$!
wait_until grep -q "TracerPid:.$tracer" "/proc/$job/status"
known GDB "$tracer"
check_error "debugged already" --pid "$job"
rm "$scratch/held"
wait_until has_ended $tracer

$mqdump --record "$scratch/record" --pid "$job" > "$scratch/shown"
check_error "recorded twice" --record "$scratch/record" --pid "$job"
check_error "no folder" --record /dev/null/x --pid "$job"
check_runs "after errors"
stop_jobs

JOB_RANK=0 JOB_DEBUGGED=1 "$BUILD/job/le64/job-premain" --ranks 1 pending &
job=$!
jobs_started="$jobs_started $job"
stands_before_main() { [ "$(state_of "$job")" = T ]; }
wait_until stands_before_main
check_error "MPI_Init not reached" --pid "$job"
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
check_error "no debug information" --pid "$job"

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
check_error "missing type" --types "$scratch/some.o" --pid "$job"

# A program that was deleted is read all the same.
rm "$scratch/job"
type_object all MPIR_SQEL MPIR_SQUEUE MPIR_RHANDLE MPIR_SHANDLE \
    MPIR_Comm_list MPIR_Communicator
$mqdump --types "$scratch/all.o" --pid "$job" > "$scratch/shown"
check_equal "types: status" $? 1
check_golden types "$(sed -n '/^rank 0/,$p' "$scratch/shown" |
    grep '^rank\|7777')"
stop_jobs

tests_end
