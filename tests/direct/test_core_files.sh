# test_core_files.sh - core files show what the process has shown
# tier: live
#
# Core files are read without a debugger, and show what the process has shown:
# those that the kernel writes, whichever thread has ended it, and what is missing
# is said.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires elfutils
case $(cat /proc/sys/kernel/core_pattern) in
core | core.%p) ;;
*)
    skip "the rest" "core_pattern"
    tests_end
    ;;
esac

nothing=$scratch/nothing
program=$BUILD/job/le64/job
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac

# dead ARGUMENT...: what is said with no gdb in PATH.
dead() {
    PATH=$nothing "$mqdump" "$@" > "$scratch/dead" 2> "$scratch/said"
    status=$?
}

# start_dumping SHAPE ARGUMENT...: a job that leaves core files in $scratch.
start_dumping() {
    counters=$scratch/counters.$1 shape=$1 ranks=1
    shift
    rm -f "$counters"
    (
        cd "$scratch" || exit
        ulimit -c unlimited
        exec "${program%/*/*}/$shape/job" --ranks 1 --counters "$counters" "$@"
    ) &
    job=$!
    jobs_started="$jobs_started $job"
    wait_until job_is_ready || fail "no job: $*" < /dev/null
}

# end_with_core SIGNAL [THREAD]: the core file of the job is $core.
end_with_core() {
    if [ $# -eq 2 ]; then
        python3 -c "import ctypes
ctypes.CDLL(None).tgkill($job, $2, $1)"
    else
        kill -"$1" "$job"
    fi
    wait "$job" 2> /dev/null
    jobs_started=
    core=$scratch/core
    [ -e "$core" ] || core=$scratch/core.$job
}

for shape in le64 le32; do
    if ! [ -x "$BUILD/job/$shape/job" ]; then
        skip "$shape" "no gcc-12-multilib"
        continue
    fi
    start_dumping $shape --keep-sends 1 pending
    "$mqdump" --raw --pid "$job" > "$scratch/live"
    end_with_core 6
    dead --raw --core "$BUILD/job/$shape/job" "$core"
    check_same "$shape: as the process" "$scratch/dead" "$scratch/live"
    check_contains "$shape: it has queues" "$(cat "$scratch/dead")" "tag=7777"
done

# The thread that was killed is the first in the file; the main one stands for
# the process all the same.
start_dumping le64 --keep-sends 1 --thread 1 pending
other=$(ls "/proc/$job/task" | tail -n 1)
check_equal "another thread" $((other != job)) 1
"$mqdump" --raw --pid "$job" > "$scratch/live"
end_with_core 6 "$other"
dead --raw --core "$program" "$core"
check_same "thread killed" "$scratch/dead" "$scratch/live"

# The program ran stripped, and is somewhere else by now; or it is another one.
cp "$program" "$scratch/ran"
strip "$scratch/ran"
(
    cd "$scratch" || exit
    ulimit -c unlimited
    exec "$scratch/ran" --ranks 1 --counters "$scratch/counters.ran" pending
) &
job=$! counters=$scratch/counters.ran
jobs_started="$jobs_started $job"
wait_until job_is_ready || fail "no job" < /dev/null
end_with_core 6
rm "$scratch/ran"
dead --queues --core "$program" "$core"
check_contains "stripped" "$(cat "$scratch/dead")" \
    "rank 0 in MPI_Recv: $program"
dead --core "$(command -v sleep)" "$core"
check_equal "another program: exit status" $status 2
check_golden "another program" "$(sed "s|$core|CORE|" "$scratch/said")"

# A core file that was cut off, as where the disk was full.
size=$(wc -c < "$core") cut=1
for part in 100 5000 $((size / 2)); do
    head -c $part "$core" > "$scratch/cut"
    dead --core "$program" "$scratch/cut"
    check_equal "cut after $part bytes: exit status" $status 2
    check_golden "cut, $cut" "$(sed 's/\(cut.: \).*/\1.../' "$scratch/said")"
    cut=$((cut + 1))
done

tests_end
