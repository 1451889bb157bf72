# test_closed_streams.sh - programs with closed standard streams
# tier: simulated
#
# Programs whose standard input, output or error are closed: what they open is
# not taken for one of these, and the exit status says whether all was shown.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
folder=$scratch/closed
mkdir "$folder"
files=$(echo examples/heat/rank-0000[0-3].mqsnap)

# status COMMAND...: with each choice of the three closed, but for those that
# leave something shown, it is 2.
status() {
    for closed in '<&- >&- 2>&-' '>&- 2>&-' '<&- >&-' '>&-'; do
        eval "\"\$@\" $closed" 2> "$scratch/said"
        check_equal "$* $closed" $? 2
    done
}

# shellcheck disable=SC2086 # these are several files
{
    for format in text json csv svg html; do
        status "$mqdump" --format $format $files
    done
    status "$mqdump" --raw $files
    status "$mqdump" --version
    status "$mqdump" --help
    status "$mqdump" --no-such-option
    status "$mqdump" "$folder/nothing"
    status "$mqdump" --diff examples/heat examples/heat
    for closed in '<&-' '2>&-' '<&- 2>&-'; do
        eval "\"\$mqdump\" \$files $closed" > "$scratch/shown" 2> "$scratch/said"
        check_equal "only $closed: the verdict" $? 1
        check_contains "only $closed: it is shown" "$(cat "$scratch/shown")" \
            "Deadlock (certain): rank 1 expects"
    done
    # What is written to a file needs none of them.
    "$mqdump" --digest "$folder/kept" $files <&- >&- 2>&-
    check_equal "a digest" $? 0
    "$mqdump" --still "$folder/kept" > "$scratch/shown"
    check_equal "its end" $? 1
}

status "$BUILD/mqcheck" --version
status "$BUILD/mqcheck" --help
status "$BUILD/mqcheck"
status "$BUILD/mqcheck" "$BUILD/libtvmpich.so"

tests_end
