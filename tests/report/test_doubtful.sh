# test_doubtful.sh - doubtful arguments support no finding
# tier: simulated
#
# Arguments that are doubtful: a reader is told them, and nothing follows.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump

# rank NUMBER SOURCE TAG COMMUNICATOR: one of four, in MPI_Recv.
rank() {
    cat << END
process $1 MPI_Recv
looks 3 1.5 still
thread MPI_Recv 0 1
argument source $2 doubtful
argument tag $3 doubtful
argument comm $4 sure
comm 0x4711 $1 4 0 MPI_COMM_WORLD
none send
none receive
none unexpected
END
}

# job: the processes that are read, as a digest.
job() {
    {
        printf 'mqdigest 3\nname process\nimage job\ngroup 0 0-3\n'
        printf 'frame 0 main 140 ring.c 3 %% -\n'
        cat
        echo end
    } > "$scratch/job.mqdigest"
    $mqdump "$scratch/job.mqdigest" 2> "$scratch/err"
}

{ rank 0 3 7 18193; rank 1 0 7 18193; rank 2 1 7 18193; rank 3 2 7 18193; } |
    job > "$scratch/ring"
check_golden ring "$(cat "$scratch/ring")"

{ rank 0 -1 -1 18193; rank 1 4 7 18193; rank 2 1 7 1; } |
    job > "$scratch/unknown"
check_golden unknown "$(cat "$scratch/unknown")"
check_equal "no guess" "$(grep -c perhaps "$scratch/unknown")" 0

tests_end
