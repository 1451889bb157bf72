# test_shared.sh - MPICH's own matching, recorded
# tier: simulated
#
# What goes through shared memory is on lists of MPICH's own.  A list that does
# not fit, or is of another version or MPI, is refused; nothing is told of
# communicators with members on other hosts, whose network is not read; and two
# ranks that wait for sends, which are on the list of the other one, are stuck
# for certain.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/sentences.sh

mqdump=$BUILD/mqdump

# look NAME SED: what is told of the recording that SED has changed.
look() {
    gzip -dc "tests/data/queues/$1.mqsnap.gz" > "$scratch/$1"
    sed "$2" "$scratch/$1" > "$scratch/changed.mqsnap"
    check_equal "$1: $2" \
        "$(cmp -s "$scratch/$1" "$scratch/changed.mqsnap" || echo yes)" yes
    $mqdump --raw "$scratch/changed.mqsnap" > "$scratch/raw" 2> "$scratch/err"
}

operations() { grep -c '^receive\|^unexpected' "$scratch/raw"; }

# Why it is refused.
reason() {
    $mqdump "$scratch/changed.mqsnap" > "$scratch/shown" 2> "$scratch/err"
    first_part "$scratch/shown" 'libtvucx.so: [^()]*)'
}

request=000000ac0200000002000000
for name in mpich-4.0.3-shared mpich-4.1.3-shared mpich-4.2.3-shared \
    mpich-4.3.1-shared mpich-5.0.2-shared; do
    look "$name" "s/$request/090000ac0200000002000000/"
    check_equal "$name: another handle" "$(operations)" 0
    look "$name" "s/$request/000000ac0200000001000000/"
    check_equal "$name: a send" "$(operations)" 0
    torn=$(reason)
    look "$name" "s/010000ac/810000ac/g"
    check_equal "$name: no row" "$(operations)" 0
    unknown=$(reason)

    # The rank, of three, is on a host with the first two.
    case $name in mpich-4.[012]*)
        look "$name" \
            's/\(010000000300000001000000\)0300000001/\10200000002/'
        check_equal "$name: two hosts" "$(operations)" 0 ;;
    esac
done
check_golden "a send" "$torn"
check_golden "another version" "$unknown"
# The segment of variables, twice as long.
look "$name" s/c4bc01000000000038044100/c4bc01000000000038049100/
check_golden "another MPI" "$(reason)"
sed '/^symbol _r_debug/i function MPI_Init 0x1000' "$scratch/changed.mqsnap" \
    > "$scratch/other.mqsnap"
COLUMNS=500 $mqdump doctor "$scratch/other.mqsnap" > "$scratch/shown"
check_golden "another MPI: the doctor" \
    "$(sed -n 's/^BROKEN *//p' "$scratch/shown")"

# sends SED: the verdict on both ranks, changed by SED, and those that it is of.
sends() {
    mkdir -p "$scratch/job"
    for rank in 0 1; do
        gzip -dc "tests/data/queues/mpich-5.0.2-shared-sends-$rank.mqsnap.gz" |
            sed "$1" > "$scratch/job/rank-$rank.mqsnap"
    done
    $mqdump --format json "$scratch/job" > "$scratch/out" 2> "$scratch/err"
    verdict_in "$scratch/out"
    sed -n 's/^      "ranks": //p' "$scratch/out" | head -n 1
}

check_equal "sends" "$(sends '')" "deadlock
[0, 1],"
# Requests of the same handles that are no sends.
check_equal "others" \
    "$(sends 's/\(0000[ae]c0[12]000000\)\(01\|03\)000000/\1ff000000/')" \
    "possible-deadlock
[0, 1],"

tests_end
