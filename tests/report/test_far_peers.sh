# test_far_peers.sh - distant peers are named
# tier: simulated
#
# Four ranks, of which each of the upper two waits for the one two below it, and
# these for each other; and six, of which four wait for those two above them.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# shows NAME LINE PEER...: of a job whose ranks wait for these peers.
shows() {
    shows_name=$1 line=$2
    shift 2
    awk -v peers="$*" 'BEGIN {
        ranks = split(peers, peer, " ")
        print "mqdigest 1\nname here\nimage a.out\ngroup 0 0-" ranks - 1
        for (r = 0; r < ranks; r++) {
            print "process " r " MPI_Recv"
            print "comm 0x7f" sprintf("%06x", r) " " r " " ranks \
                " 0 MPI_COMM_WORLD"
            print "receive pending " peer[r + 1] "/" peer[r + 1] " 7 40 0x10"
        }
        print "end"
    }' > "$scratch/job.mqdigest"
    COLUMNS=200 "$BUILD/mqdump" --still "$scratch/job.mqdigest" \
        > "$scratch/out" 2>&1
    check_contains "$shows_name" "$(cat "$scratch/out")" "$line"
}

shows 'two below' '
  ranks 2, 3 in MPI_Recv each wait for the rank two below (0, 1) (receive of tag 7' \
    1 0 0 1
shows 'two above' '
  ranks 0, 1, 2, 3 in MPI_Recv each wait for the rank two above (2, 3, 4, 5)' \
    2 3 4 5 5 4
shows 'next to it' '
  ranks 1, 2 in MPI_Recv each wait for the rank below (0, 1) (receive of tag 7' \
    3 0 1 0
tests_end
