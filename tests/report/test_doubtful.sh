# test_doubtful.sh - nothing follows from arguments that are doubtful
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
    $mqdump "$scratch/job.mqdigest" 2> "$scratch/err" | paste -sd " " | tr -s " "
}

{ rank 0 3 7 18193; rank 1 0 7 18193; rank 2 1 7 18193; rank 3 2 7 18193; } |
    job > "$scratch/ring"
check_contains "the first" "$(cat "$scratch/ring")" \
    "rank 0 in MPI_Recv at ring.c:3 waits for a message, perhaps from rank 3"
check_contains "those that wait alike" "$(cat "$scratch/ring")" \
    "wait for a message, perhaps from the rank before them (tag 7)"
check_contains "nothing is certain" "$(cut -c 1-8 "$scratch/ring")" Possible

{ rank 0 -1 -1 18193; rank 1 4 7 18193; rank 2 1 7 1; } |
    job > "$scratch/unknown"
check_equal "any source, one that is none, another communicator" \
    "$(grep -c "what for is not known" "$scratch/unknown")" 1
check_equal "no guess" "$(grep -c perhaps "$scratch/unknown")" 0

tests_end
