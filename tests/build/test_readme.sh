# test_readme.sh - what README.md says is so
# tier: simulated
#
# What README.md says is so: files and goals are there, options too, and what it
# quotes of the demo is what the demo shows.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

check_equal 'README.md is short' "$(awk 'END { print NR < 200 }' README.md)" 1

"$BUILD/tests/kit/demo" "$scratch"
"$BUILD/mqdump" "$scratch"/heat.[0-3].mqsnap > "$scratch/shown"

# The text as one line of single blanks.
flat() { tr -s ' \n' '  ' < "$1"; }

for quote in "$(sed -n '/^    Possible deadlock/,/^$/p' README.md)" \
    "$(sed -n '/^    rank 1 in MPI_Waitall/,/^      \.\.\./p' README.md |
        sed '$d')" \
    "$(sed -n '/^      ring, rank 2/,/^$/p' README.md)"; do
    echo "$quote" > "$scratch/quote"
    check_contains 'what README.md quotes' "$(flat "$scratch/shown")" \
        "$(flat "$scratch/quote" | sed 's/^ *//; s/ *$//')"
done

for file in $(grep -oE '\]\([^)]*\)' README.md | tr -d '](){}') \
    $(sed -n '/^## Where things/,$s/^    \([a-z/]*[A-Z][A-Z]*\) .*/\1/p' README.md) \
    .ci/run mqdump/mqdump.1 mpi_interface.h examples/posted.c; do
    check_equal "$file is there" "$(ls "$file" 2> /dev/null)" "$file"
done

for goal in $(grep -oE '(^    |`)make [a-z]+' README.md | sed 's/.*make //'); do
    check_equal "make knows $goal" \
        "$(cat Makefile watch/rules.mk |
            grep -cE "^([a-z]+ )*$goal( [a-z]+)*:")" 1
done

"$BUILD/mqdump" --help > "$scratch/help"
for option in $(grep -oE '^ *(build/)?mqdump .*' README.md |
    grep -oE -e '--[a-z-]{2,}' | sort -u); do
    check_contains "mqdump knows $option" "$(cat "$scratch/help")" "$option"
done

tests_end
