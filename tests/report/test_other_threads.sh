# test_other_threads.sh - other threads that wait
# tier: simulated
#
# Each is told with its call, line and arguments, equal ones of several ranks
# together; those at an OpenMP barrier with the call that they wait for, those
# at a lock with its function.  Who has none is told as before.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump

# rank NUMBER: one of two, with the lines of its other threads.
rank() {
    printf 'process %d MPI_Recv\nthread MPI_Recv 0 1\n' "$1"
    cat
    printf 'comm 0x4711 %d 2 0 MPI_COMM_WORLD\n' "$1"
    printf 'none send\nnone receive\nnone unexpected\n'
}

# job: the processes that are read, as a digest; what is said of threads.
job() {
    {
        printf 'mqdigest 5\nname process\nimage job\ngroup 0 0-1\n'
        printf 'frame 0 main._omp_fn.0 140 ring.c 3 %% -\n'
        printf 'frame 1 beside 140 ring.c 7 %% -\n'
        printf 'frame 2 GOMP_barrier 14 %% 0 /lib/libgomp.so.1 -\n'
        printf 'frame 3 work 20 ring.c 9 %% -\n'
        printf 'frame 4 %% 14 %% 0 /lib/libc.so.6 -\n'
        printf 'frame 5 pthread_cond_wait 14 %% 0 /lib/libc.so.6 -\n'
        printf 'frame 6 await 20 ring.c 12 %% -\n'
        cat
        echo end
    } > "$scratch/job.mqdigest"
    $mqdump "$scratch/job.mqdigest" 2> "$scratch/err" > "$scratch/out"
    sed -n '/^other threads/,/^stacks/{/^stacks/!p;}' "$scratch/out"
}

receive() {
    printf 'thread MPI_Recv 1 1\nargument source %d sure\nargument tag %d sure\n' \
        "$1" "$2"
}

at_barrier() { printf 'thread - 2 2\n'; }

for_condition() { printf 'thread - 4 3\n'; }

outside() { printf 'thread - 1 1\n'; }

check_golden "calls" "$({
    { receive 1 22; outside; } | rank 0
    { receive 0 22; } | rank 1
} | job)"
check_golden "at a barrier" "$({
    { at_barrier; at_barrier; receive 1 5; } | rank 0
    { at_barrier; at_barrier; } | rank 1
} | job)"
check_golden "for another one" "$({
    { for_condition; at_barrier; for_condition; } | rank 0
    for_condition | rank 1
} | job)"
$mqdump --format json "$scratch/job.mqdigest" > "$scratch/out" 2>&1
check_equal "and in JSON" \
    "$(grep -c '"lock": *"pthread_cond_wait"' "$scratch/out")" 3
check_equal "none waits" "$({
    outside | rank 0
    rank 1 < /dev/null
} | job)" ""

# Ranks that compute beside threads in turn for Python's lock are well.
sed 's/MPI_Recv/-/; s/^mqdigest 5/mqdigest 8/; s/^thread - 1 1$/&\
number 17\
resource interpreter thread -1 4 16 % %/' "$scratch/job.mqdigest" \
    > "$scratch/python.mqdigest"
check_equal "Python's lock, of ranks that go on" \
    "$($mqdump "$scratch/python.mqdigest" | grep -c "^other threads\|^Nothing")" 1

$mqdump --format json "$scratch/job.mqdigest" > "$scratch/out" 2>&1
check_equal "none in JSON" "$(grep -c other_threads "$scratch/out")" 0
{ at_barrier | rank 0; rank 1 < /dev/null; } | job > "$scratch/said"
$mqdump --format json "$scratch/job.mqdigest" > "$scratch/out" 2>&1
check_equal "one in JSON" "$(grep -c '"at_barrier": *true' "$scratch/out")" 1
tests_end
