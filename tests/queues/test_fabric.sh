# test_fabric.sh - libfabric data needs two consistent sources
# tier: simulated
#
# Each place where a recorded rank has the tag of a receive, or of a message, is
# given another one alone: nobody is told of that.  Of another provider nothing
# is believed.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump

show() {
    $mqdump --raw --internal --dll "$BUILD/libtvompi.so" "$scratch/changed" \
        > "$scratch/raw" 2> "$scratch/err"
}

shown() { grep -c "$1" "$scratch/raw"; }

# replace NUMBER WORD OTHER: in the line with WORD of this number.
replace() {
    awk -v number="$1" -v word="$2" -v other="$3" '
        index($0, word) && ++count == number { sub(word, other) } { print }' \
        "$scratch/rank" > "$scratch/changed"
}

# check_sides WHAT WORD OTHER SHOWN: WHAT has tag WORD at several places.
check_sides() {
    places=$(grep -c "$2" "$scratch/rank")
    check_equal "$name, $1: sides" \
        "$([ "$places" -gt 1 ] && echo yes)" yes
    believed=0
    while [ "$places" -gt 0 ]; do
        replace "$places" "$2" "$3"
        show
        believed=$((believed + $(shown "$4")))
        places=$((places - 1))
    done
    check_equal "$name, $1: believed" "$believed" 0
}

for name in openmpi-4.1.4-ofi-1.17 openmpi-5.0.7-ofi-2.1; do
    gzip -dc "tests/data/queues/$name.mqsnap.gz" > "$scratch/rank"
    cp "$scratch/rank" "$scratch/changed"
    show
    check_equal "$name: what there is" \
        "$(shown 'receive.* tag=78 ') $(shown 'unexpected.* tag=112 ')" "1 1"
    check_sides "a receive" 4e0000000c000000 4f0000000c000000 "tag=79 "
    check_sides "a message" 700000000c000000 720000000c000000 "tag=114 "

    sed 's/6f66695f72786d00/6f66695f72786400/' "$scratch/rank" \
        > "$scratch/changed"
    show
    check_equal "$name, another provider" "$(shown pending)" 0
    $mqdump --dll "$BUILD/libtvompi.so" "$scratch/changed" > "$scratch/shown" 2>&1
    check_golden "$name, another provider" \
        "$(first_part "$scratch/shown" 'Messages go through libfabric, [^();]*')"
done

tests_end
