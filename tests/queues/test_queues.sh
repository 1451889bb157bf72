# test_queues.sh - queues of recorded ranks
# tier: simulated
#
# What libtvucx.so shows of ranks of MPICH and Open MPI over UCX that were
# recorded, and libtvompi.so of ranks of Open MPI's own matching and over
# libfabric: each has receives posted on three communicators, from any source and
# with any tag, and some have messages that have arrived, and sends.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
mqcheck=$BUILD/mqcheck
for packed in tests/data/queues/*.mqsnap.gz; do
    name=${packed##*/}
    name=${name%.mqsnap.gz}
    recording=$scratch/$name.mqsnap
    case $name in
    *-ob1* | *-ofi-*) dll=$BUILD/libtvompi.so ;;
    *) dll=$BUILD/libtvucx.so ;;
    esac
    gzip -dc "$packed" > "$recording"

    # By name, and by mqdump itself, which finds nothing better.
    $mqdump --dll "$dll" --raw --internal "$recording" > "$scratch/shown" \
        2> "$scratch/err"
    check_same "$name" "$scratch/shown" "tests/data/queues/$name.expect"
    $mqdump --raw --internal "$recording" > "$scratch/shown" 2> "$scratch/err"
    check_same "$name, by itself" "$scratch/shown" "tests/data/queues/$name.expect"

    fetches=$($mqdump --stats --raw --dll "$dll" "$recording" 2>&1 |
        sed -n 's/^total.*: \([0-9]*\) fetches.*/\1/p')
    check_equal "$name: $fetches fetches" \
        "$([ "${fetches:-0}" -gt 0 ] && [ "$fetches" -lt 2000 ] && echo yes)" \
        yes

    # What is missing is never shown as an empty queue.
    grep -v '^data' "$recording" > "$scratch/empty.mqsnap"
    check_equal "$name: no memory" \
        "$($mqdump --raw --internal --dll "$dll" "$scratch/empty.mqsnap" \
            2> /dev/null | grep -c '^receive')" 0
    grep -v '^range' "$scratch/empty.mqsnap" > "$scratch/unread.mqsnap"
    $mqdump --raw --dll "$dll" "$scratch/unread.mqsnap" 2>&1 |
        tr -s ' \n' ' ' > "$scratch/shown"
    check_equal "$name: unreadable" \
        "$(grep -c 'not known: build' "$scratch/shown")" 0

    # A program may call MPI_COMM_WORLD by another name.
    case $name in
    mpich*)
        sed 's/4d50495f434f4d4d5f574f524c4400/6f7572730000000000000000000000/' \
            "$recording" > "$scratch/named.mqsnap"
        sed 's/name="MPI_COMM_WORLD"/name="ours"/' \
            "tests/data/queues/$name.expect" > "$scratch/wanted"
        $mqdump --raw --internal --dll "$dll" "$scratch/named.mqsnap" \
            > "$scratch/shown" 2> "$scratch/err"
        check_same "$name: renamed" "$scratch/shown" \
            "$scratch/wanted" ;;
    esac

    # Nor what is of another version, as a request of another size is.
    sed 's/^\(symbol mca_pml_base_request_t_class 0x.*\)..$/\1c8/' \
        "$recording" > "$scratch/other.mqsnap"
    if ! cmp -s "$recording" "$scratch/other.mqsnap"; then
        $mqdump --dll "$dll" "$scratch/other.mqsnap" > "$scratch/shown" 2>&1
        check_golden "$name: another version" \
            "$(first_part "$scratch/shown" 'This version of [^:]*: [^();]*launch')"
    fi

    $mqcheck --limit 100 "$dll" "$recording" > "$scratch/rules" 2>&1
    check_equal "$name: rules" \
        "$(sed -n 's/.* kept, \([0-9]*\) broken.*/\1/p' "$scratch/rules")" 0
done

tests_end
