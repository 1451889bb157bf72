# test_sends.sh - UCX sends derived from receivers, recorded
# tier: simulated
#
# Two ranks of state_sends.c wait for twelve sends each, which lie at the other
# one as messages that nobody receives: who waits for whom is certain, for each
# of them is found to be the send of a request.  Where it is not, nothing is.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/sentences.sh

mqdump=$BUILD/mqdump

# unpack NAME: the recordings of both ranks are in the folder "job" then.
unpack() {
    rm -rf "$scratch/job"
    mkdir "$scratch/job"
    for rank in 0 1; do
        gzip -dc "tests/data/queues/$1-sends-$rank.mqsnap.gz" \
            > "$scratch/job/rank-$rank.mqsnap"
    done
}

# marks KEYWORD RANK: those of the rank's sends, or of messages that lie there.
marks() {
    sed -n "/^process $2 /,/^process [^$2] /s/^$1 \(0x[0-9a-f]*\)\( .*\)*$/\1/p" \
        "$scratch/digest" | sort
}

look() {
    $mqdump "$scratch/job" > "$scratch/shown" 2> "$scratch/err"
    $mqdump --digest "$scratch/digest" "$scratch/job" 2>> "$scratch/err"
    said=$(tr -s ' \n' ' ' < "$scratch/shown")
}

for name in mpich-4.0.2-ucx-1.13 openmpi-4.1.4-ucx-1.13; do
    unpack "$name"
    look
    check_contains "$name: both are stuck" "$said" \
        "Deadlock (certain): ranks 0, 1 $each_other in MPI_Waitall"
    check_contains "$name: no data" "$said" \
        "(send of tag 1, 0 bytes, on MPI_COMM_WORLD, in that rank's"
    for rank in 0 1; do
        check_equal "$name: rank $rank: found" \
            "$(marks sends $rank | sort -u | wc -l)" 12
        check_equal "$name: messages" \
            "$(marks sends $rank)" \
            "$(marks 'unexpected pending .* mark' $((1 - rank)))"
    done
    check_equal "$name: the ranks' own are others" \
        "$({ marks sends 0; marks sends 1; } | sort -u | wc -l)" 24

    # Of a pool of another kind nothing is taken for a request.
    for file in "$scratch"/job/*; do
        sed 's/7563705f7265717565737473/7563705f7265717565737478/' "$file" \
            > "$scratch/other"
        mv "$scratch/other" "$file"
    done
    look
    check_contains "$name: not found" "$said" \
        "Possible deadlock: ranks 0, 1"
    check_equal "$name: they are none" "$(marks sends 0)$(marks sends 1)" ""
done

tests_end
