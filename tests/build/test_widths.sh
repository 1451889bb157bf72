# test_widths.sh - DLL and debugger as 32-bit programs
# tier: builds
#
# DLL and debugger as 32-bit programs: with MQS_WIDE_TARGETS they show 64-bit
# targets, without they refuse them; and the loader tells one from the other.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

for width in narrow wide; do
    if [ -e "$BUILD/$width/skipped" ]; then
        skip "32-bit programs" "$(cat "$BUILD/$width/skipped")"
        tests_end
    fi
done

for shape in le32 be32 le64 be64; do
    "$BUILD/tests/kit/scenario" "$shape" > "$scratch/$shape.mqsnap"
    "$BUILD/mqdump" --raw "$scratch/$shape.mqsnap" > "$scratch/wanted"
    "$BUILD/wide/mqdump" --raw "$scratch/$shape.mqsnap" > "$scratch/got"
    check_same "$shape with a wide mqdump" "$scratch/got" "$scratch/wanted"
    "$BUILD/narrow/mqdump" --raw "$scratch/$shape.mqsnap" \
        > "$scratch/got" 2> "$scratch/err"
    case $shape in
    *32)
        check_same "$shape with a narrow mqdump" "$scratch/got" \
            "$scratch/wanted"
        ;;
    *64)
        check_contains "$shape with a narrow mqdump" "$(cat "$scratch/err")" \
            "its addresses have 8 bytes and this program was built for 4"
        ;;
    esac
done

# loads NAME MQDUMP DLL SENTENCE
loads() {
    "$BUILD/$2" --dll "$BUILD/$3" "$scratch/le32.mqsnap" \
        > "$scratch/got" 2> "$scratch/err"
    check_equal "$1: status" $? 2
    check_contains "$1" "$(cat "$scratch/err")" "$4"
}

loads "a narrow DLL in a wide mqdump" wide/mqdump narrow/libtvmpich.so \
    "its addresses have 4 bytes, this debugger's have 8"
loads "a wide DLL in a narrow mqdump" narrow/mqdump wide/libtvmpich.so \
    "its addresses have 8 bytes, this debugger's have 4"
loads "a 32-bit DLL in a 64-bit mqdump" mqdump wide/libtvmpich.so \
    "it is for 32-bit programs"
loads "a 64-bit DLL in a 32-bit mqdump" wide/mqdump libtvmpich.so \
    "it is for 64-bit programs"

for width in narrow wide; do
    check_equal "rules that the $width DLL breaks" \
        "$("$BUILD/$width/mqcheck" "$BUILD/$width/libtvmpich.so" |
            sed 's/^[^:]*: //')" "38 rules kept, 0 broken, 0 not tested"
done
check_contains "a wide DLL in a narrow mqcheck" \
    "$("$BUILD/narrow/mqcheck" "$BUILD/wide/libtvmpich.so")" \
    "it answered 8, and this debugger's addresses have 4 bytes"

tests_end
