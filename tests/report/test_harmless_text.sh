# test_harmless_text.sh - hostile names are escaped
# tier: simulated
#
# Names that a target chose harm neither a terminal, nor a reader, nor a
# spreadsheet, in any format.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump

# CSI as U+009B, the escape character, U+202E and U+2066; and a formula.
evil='a\xc2\x9b2Jb\x1b[2Jc\xe2\x80\xaed\xe2\x81\xa6e'
{
    printf '%s\n' 'mqdigest 1' "name $evil" "image $evil"
    printf 'process 0 MPI_Recv\ncomm 0x1 0 2 ? %s\n' "$evil"
    printf 'receive pending 1/1 7 4 0x10\nextra %s\n' "$evil"
    printf 'remark note comm %s\n' "$evil"
    printf 'comm 0x2 0 2 ? =cmd|/C calc!A0\nreceive pending 1/1 7 4 0x10\n'
    printf 'comm 0x3 0 2 ? @SUM(1)\nreceive pending 1/1 7 4 0x10\n'
    printf 'end\n'
} > "$scratch/digest"

# The bytes that would do harm, as od shows them.
harm_in() {
    LC_ALL=C grep -aoE "$(printf '\302[\200-\237]|[\001-\010\013-\037\177]|\342\200[\216\217\250-\256]|\342\201[\246-\251]')" "$1" | od -An -c
}

for format in text json csv svg html; do
    $mqdump --format $format "$scratch/digest" > "$scratch/out" 2>&1
    check_equal "$format" "$(harm_in "$scratch/out")" ""
done
$mqdump --raw --verbose "$scratch/digest" > "$scratch/out" 2>&1
check_equal "raw" "$(harm_in "$scratch/out")" ""

$mqdump --format csv "$scratch/digest" > "$scratch/out" 2> "$scratch/err"
check_equal "csv: formulas" \
    "$(grep -cE '(^|,)"[=+@]' "$scratch/out")" 0
check_contains "csv: formulas quoted" "$(cat "$scratch/out")" \
    ",\"'=cmd|/C calc!A0\","
check_contains "csv: calls" "$($mqdump --format csv \
    "$scratch/digest" 2> "$scratch/err")" '"MPI_Recv"'

tests_end
