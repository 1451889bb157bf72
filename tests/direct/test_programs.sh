# test_programs.sh - programs of many build and link variants
# tier: live
#
# All that mqdump does with processes of this host: in jobs that run, start, are
# watched and have left a core file, and of programs that are made and kept in
# many ways.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires elfutils x86-64

job_folder=$BUILD/job/le64
deadlock="ranks 0, 1 $each_other in MPI_Recv"

# shows NAME ARGUMENT...: that mqdump tells of the deadlock of two ranks, and
# has nothing to complain of.
shows() {
    shows_name=$1
    shift
    "$mqdump" "$@" > "$scratch/shown" 2> "$scratch/said"
    check_equal "$shows_name: exit status" $? 1
    check_contains "$shows_name" "$(tr -s ' \n' ' ' < "$scratch/shown")" \
        "$deadlock"
    check_equal "$shows_name: what is said" "$(cat "$scratch/said")" ""
}

# ---- Ways to get at a job -------------------------------------------------

start_job le64 2 --keep-sends 1 pending
shows "processes" --pid "$(job_pids)"
shows "a job" --job "$job"
"$mqdump" doctor --pid "$job" > "$scratch/shown" 2>&1
check_equal "the doctor: exit status" $? 0
check_contains "the doctor" "$(cat "$scratch/shown")" "by elfutils"
"$mqdump" --watch 1 --within 60 --job "$job" > "$scratch/shown" 2>&1 &
watcher=$!
if ! wait_until grep -qs "$deadlock" "$scratch/shown"; then
    fail "a watch" < "$scratch/shown"
fi
kill "$watcher" 2> /dev/null
wait "$watcher" 2> /dev/null
check_runs "after that"
stop_jobs

# What is long enough, the machine says.
for seconds in 1 8 64 512; do
    "$mqdump" --after $seconds --launch -- "$job_folder/job" --ranks 2 \
        --seconds 900 --counters "$scratch/launched" pending \
        > "$scratch/shown" 2> "$scratch/said"
    [ $? -ne 1 ] || break
done
check_contains "a launched job" "$(tr -s ' \n' ' ' < "$scratch/shown")" \
    "$deadlock"
"$mqdump" --launch -- "$job_folder/starter" --program "$job_folder/job" \
    --ranks 2 --seconds 900 --counters "$scratch/launched" abort \
    > "$scratch/shown" 2> "$scratch/said"
check_contains "an abort" "$(cat "$scratch/said")" \
    "MPI_Abort by rank 1"

case $(cat /proc/sys/kernel/core_pattern) in
core)
    start_job le64 2 pending
    (
        # shellcheck disable=SC3045 # dash and bash have it
        ulimit -c unlimited
        cd "$scratch" || exit
        exec "$OLDPWD/$job_folder/job" --ranks 1 --counters counters.core \
            pending
    ) &
    dumped=$!
    jobs_started="$jobs_started $dumped"
    counters=$scratch/counters.core ranks=1
    wait_until job_is_ready
    kill -ABRT "$dumped"
    wait "$dumped" 2> /dev/null
    if [ -e "$scratch/core" ]; then
        "$mqdump" --queues --core "$job_folder/job" "$scratch/core" \
            > "$scratch/shown" 2> "$scratch/said"
        check_contains "a core file" "$(cat "$scratch/shown")" \
            "rank 0 in MPI_Recv"
    else
        skip "a core file" "none written"
    fi
    ;;
*) skip "a core file" "core_pattern" ;;
esac

# ---- Ways to make a program -----------------------------------------------

# A job of the same sources; gcc's words.
build() {
    made=$scratch/$1
    shift
    gcc -std=gnu99 -pthread "$@" -o "$made" tests/programs/mpi_job/job.c \
        tests/programs/mpi_job/programs.c tests/programs/mpi_job/queues.c \
            tests/programs/mpi_job/calls.c \
        tests/programs/mpi_job/collectives.c tests/programs/mpi_job/comms.c \
        tests/programs/mpi_job/pointers.c tests/programs/mpi_job/objects.c \
        tests/programs/mpi_job/start.c tests/programs/mpi_job/mail.c \
            tests/programs/mpi_job/options.c \
        2> "$scratch/gcc"
}

# start_made RANKS ARGUMENT...: runs it.
start_made() {
    ranks=$1
    shift
    counters=$scratch/counters.$(date +%s%N)
    "$made" --ranks "$ranks" --counters "$counters" "$@" &
    job=$!
    jobs_started="$jobs_started $job"
    wait_until job_is_ready
}

# check_made NAME GCC_OPTION...
check_made() {
    made_name=$1
    shift
    if ! build job "$@"; then
        skip "$made_name" "$(head -n 1 "$scratch/gcc")"
        return
    fi
    start_made 2 --keep-sends 1 pending
    shows "$made_name" --pid "$(job_pids)"
    check_runs "$made_name"
    stop_jobs
}

check_made "32 bits" -g -O0 -m32 \
    -idirafter "/usr/include/$(gcc -print-multiarch)"
check_made "a static program" -g -O0 -static
check_made "optimized" -g -O2
check_made "AddressSanitizer" -g -O0 -fsanitize=address
check_made "ThreadSanitizer" -g -O0 -fsanitize=thread

# What cannot be followed is said, and all else is told.
build job -g -O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables \
    -fno-unwind-tables
objcopy --remove-section=.debug_frame "$made"
start_made 2 pending
"$mqdump" --queues --pid "$(job_pids)" > "$scratch/shown" 2> "$scratch/said"
check_equal "no unwind tables: it is read" "$(($? < 2))" 1
check_equal "no unwind tables: no complaint" "$(cat "$scratch/said")" ""
check_golden "no unwind tables" \
    "$(first_part "$scratch/shown" "[a-z]* stack cannot [^:;(]*")"
stop_jobs

# An MPI function that calls another one last has no frame; one that is copied
# for a caller has another name.  What is in neither is in none.
cat > "$scratch/last.c" << 'END'
#include <unistd.h>
volatile int zero;
__attribute__((noinline)) int wait_for_it(int n)
{
    while (!zero)
        pause();
    return n;
}
__attribute__((noinline)) int MPI_Recv(void *at, int n, int type, int from,
                                       int tag, int comm, void *status)
{
    return wait_for_it(n);
}
END
cat > "$scratch/first.c" << 'END'
int MPI_Recv(void *at, int n, int type, int from, int tag, int comm,
             void *status);
int main(void)
{
    return MPI_Recv(0, 3, 1, 1, 7, 0, 0) + 1;
}
END
# check_last NAME: of the program of that name.
check_last() {
    PMI_RANK=0 PMI_SIZE=2 "$scratch/$1" &
    job=$!
    jobs_started="$jobs_started $job"
    wait_until grep -qs pause "/proc/$job/wchan"
    "$mqdump" --queues --pid "$job" > "$scratch/shown" 2> "$scratch/said"
    check_contains "$1: its call" "$(cat "$scratch/shown")" "rank 0 in MPI_Recv"
    check_equal "$1: arguments" \
        "$(grep -c 'called with' "$scratch/shown")" 0
    stop_jobs
}
gcc -O2 -shared -fPIC -o "$scratch/libmpi.so" "$scratch/last.c"
gcc -O2 -o "$scratch/library" "$scratch/first.c" -L"$scratch" -lmpi \
    -Wl,-rpath,"$scratch"
check_last library
# mpi4py has such a function for each of MPI's.
cat > "$scratch/bound.c" << 'END'
int MPI_Recv(void *at, int n, int type, int from, int tag, int comm,
             void *status);
__attribute__((noipa)) int PyMPI_Recv(void *at, int n, int type, int from,
                                      int tag, int comm, void *status)
{
    return MPI_Recv(at, n, type, from, tag, comm, status);
}
int main(void)
{
    return PyMPI_Recv(0, 3, 1, 1, 7, 0, 0) + 1;
}
END
gcc -O2 -o "$scratch/bound" "$scratch/bound.c" -L"$scratch" -lmpi \
    -Wl,-rpath,"$scratch"
check_last bound
cat "$scratch/last.c" "$scratch/first.c" > "$scratch/copied.c"
gcc -O2 -o "$scratch/copied" "$scratch/copied.c"
check_contains "a copy" "$(nm "$scratch/copied")" "MPI_Recv.constprop"
check_last copied

# ---- Files that are no longer there ---------------------------------------

build job -g -O0
start_made 2 --keep-sends 1 pending
rm "$made"
shows "a deleted program" --pid "$(job_pids)"
stop_jobs
build job -g -O0
start_made 2 --keep-sends 1 pending
cp "$mqdump" "$scratch/new"
mv "$scratch/new" "$made"
shows "a replaced program" --pid "$(job_pids)"
stop_jobs

# ---- Namespaces -----------------------------------------------------------

build job -g -O0
if unshare -m -p -f --mount-proc true 2> "$scratch/gcc"; then
    counters=$scratch/counters.inside ranks=2
    unshare -m -p -f --mount-proc --kill-child "$made" --ranks 2 \
        --keep-sends 1 --counters "$counters" pending &
    job=$!
    jobs_started="$jobs_started $job"
    wait_until job_is_ready
    first=$(pgrep -P "$job")
    shows "other namespaces" --pid "$first,$(pgrep -P "$first" | paste -sd, -)"
    kill -KILL "$first"
    stop_jobs
else
    skip "other namespaces" "$(head -n 1 "$scratch/gcc")"
fi

# ---- The MPIs that are here -----------------------------------------------

are_there() {
    [ "$(cat "$scratch"/ready.* 2> /dev/null | wc -l)" -eq 2 ] ||
        has_ended "$starter"
}

# check_ring NAME OPTION...: of two ranks that receive from each other.
check_ring() {
    ring_name=$1
    shift
    for _ in 1 2 3; do
        "$mqdump" "$@" > "$scratch/shown" 2> "$scratch/said"
        status=$?
        [ $status -ne 1 ] || break
    done
    check_equal "$ring_name: exit status" "$status" 1
    check_contains "$ring_name" "$(tr -s ' \n' ' ' < "$scratch/shown")" \
        "ranks 0, 1 $each_other"
}

for mpi in $(mpis); do
    for language in C Fortran; do
        case $language in
        C) "mpicc.$mpi" -O2 -pthread tests/programs/hangs/hangs.c \
            -o "$scratch/hangs" 2> "$scratch/gcc" ;;
        *) "mpif90.$mpi" -O2 tests/programs/hangs/hangs.F90 -J "$scratch" \
            -o "$scratch/hangs" 2> "$scratch/gcc" ;;
        esac || {
            skip "$mpi: $language" "$(head -n 1 "$scratch/gcc")"
            continue
        }
        rm -f "$scratch"/ready.*
        start_mpi "$mpi" 2 "$scratch/hangs" ring_recv "$scratch/ready"
        wait_until are_there
        check_ring "$mpi: $language" --job "$starter"
        stop_mpis
    done
    rm -f "$scratch"/ready.*
    case $mpi in
    openmpi) more=--oversubscribe ;;
    *) more= ;;
    esac
    "mpicc.$mpi" -O2 -pthread tests/programs/hangs/hangs.c -o "$scratch/hangs"
    # shellcheck disable=SC2086 # no word, or one
    check_ring "$mpi: a launched job" --after 8 --launch -- "mpirun.$mpi" \
        $more -np 2 "$scratch/hangs" ring_recv "$scratch/ready"
    # Debian's is for its default MPI.
    if [ "$mpi" != openmpi ]; then
        continue
    elif /usr/bin/python3 -c 'import mpi4py' 2> /dev/null; then
        rm -f "$scratch"/ready.*
        cat > "$scratch/ring.py" << 'END'
import sys
from mpi4py import MPI
world = MPI.COMM_WORLD
open("%s.%d" % (sys.argv[1], world.rank), "w").write("ready\n")
world.recv(source=1 - world.rank, tag=7)
END
        start_mpi "$mpi" 2 /usr/bin/python3 "$scratch/ring.py" "$scratch/ready"
        wait_until are_there
        check_ring "$mpi: Python" --job "$starter"
        stop_mpis
    else
        skip "$mpi: Python" "no mpi4py"
    fi
done

tests_end
