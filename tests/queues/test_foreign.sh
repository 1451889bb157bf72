# test_foreign.sh - messages on communicators unknown to the receiver
# tier: simulated
#
# One of twelve messages that have arrived at a rank over UCX is made one on a
# communicator that was freed there: the others are shown, their queue is never
# said to be complete, and nothing depends on that for certain.  A message that
# has no possible sender shows that no tag can be believed.  One of a collective
# operation of MPICH that the receiver has not begun is shown without a sender.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump

# look BEFORE AFTER: where the message of tag 3 has its tag it has another one,
# which belongs into the same bucket.
look() {
    for rank in 0 1; do
        gzip -dc "tests/data/queues/$name-sends-$rank.mqsnap.gz" \
            > "$scratch/job/rank-$rank.mqsnap"
    done
    sed "s/\(28000000180000000f.\{14\}\)$1/\1$2/" \
        "$scratch/job/rank-0.mqsnap" > "$scratch/changed"
    check_equal "$name: message" \
        "$(cmp -s "$scratch/changed" "$scratch/job/rank-0.mqsnap" || echo yes)" \
        yes
    mv "$scratch/changed" "$scratch/job/rank-0.mqsnap"
    $mqdump --raw "$scratch/job/rank-0.mqsnap" > "$scratch/raw" 2> "$scratch/err"
    $mqdump "$scratch/job" > "$scratch/shown" 2> "$scratch/said"
    said=$(tr -s ' \n' ' ' < "$scratch/shown")
}

# The sender and tag of messages of collective operations.
internal() {
    $mqdump --raw --internal "$scratch/job/rank-0.mqsnap" 2>&1 |
        sed -n 's/^unexpected .*desired_local=\([^ ]*\) .* tag=\(-[^ ]*\) length.*/\1 \2/p'
}

tags() { sed -n 's/^unexpected .* tag=\([0-9]*\) length.*/\1/p' "$scratch/raw"; }

mkdir "$scratch/job"
for name in mpich-4.0.2-ucx-1.13 openmpi-4.1.4-ucx-1.13; do
    case $name in
    mpich*) tag=0300000001000000 other=030000000100fd03 far=03000000fe030000
        own=8603000001000a00 ;;
    *) tag=0000100000030000 other=fd03100000030000 far=0000e03f00030000
        own=none ;;
    esac
    look "$tag" "$other"
    check_equal "$name: what is known" "$(tags | paste -sd, -)" \
        0,1,2,4,5,6,7,8,9,10,11
    check_golden "$name: missing" "$(errors)"
    check_contains "$name: nothing is certain" "$said" "Possible deadlock: ranks"
    look "$tag" "$far"
    check_equal "$name: no sender" "$(tags)" ""
    check_golden "$name: no tag" "$(errors)"
    [ "$own" != none ] || continue
    look "$tag" "$own"
    check_equal "$name: the library's own" "$(internal)" "-1 -903"
    check_equal "$name: nothing is missing" "$(errors)" ""
done

tests_end
