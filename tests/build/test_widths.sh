# test_widths.sh - 32-bit builds of DLL and debugger
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
    check_same "$shape, wide mqdump" "$scratch/got" "$scratch/wanted"
    "$BUILD/narrow/mqdump" --raw "$scratch/$shape.mqsnap" \
        > "$scratch/got" 2> "$scratch/err"
    case $shape in
    *32)
        check_same "$shape, narrow mqdump" "$scratch/got" \
            "$scratch/wanted"
        ;;
    *64)
        check_golden "$shape, narrow mqdump" "$(errors)"
        ;;
    esac
done

# loads NAME MQDUMP DLL: which has another width.
loads() {
    "$BUILD/$2" --dll "$BUILD/$3" "$scratch/le32.mqsnap" \
        > "$scratch/got" 2> "$scratch/err"
    check_equal "$1: status" $? 2
    check_golden "$1" "$(errors)"
}

loads "narrow DLL, wide" wide/mqdump narrow/libtvmpich.so
loads "wide DLL, narrow" narrow/mqdump wide/libtvmpich.so
loads "32-bit DLL, 64-bit" mqdump wide/libtvmpich.so
loads "64-bit DLL, 32-bit" wide/mqdump libtvmpich.so

for width in narrow wide; do
    check_equal "rules that the $width DLL breaks" \
        "$("$BUILD/$width/mqcheck" "$BUILD/$width/libtvmpich.so" |
            sed 's/^[^:]*: //')" "38 rules kept, 0 broken, 0 not tested"
done
check_contains "wide DLL, narrow mqcheck" \
    "$("$BUILD/narrow/mqcheck" "$BUILD/wide/libtvmpich.so")" \
    "it answered 8, and this debugger's addresses have 4 bytes"

tests_end
