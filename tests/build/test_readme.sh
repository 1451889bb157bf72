# test_readme.sh - statements and commands of README.md
# tier: simulated
#
# Files, goals and options that README.md names exist, and the report that it
# quotes is that of the demo.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

check_equal 'README.md is short' "$(awk 'END { print NR < 180 }' README.md)" 1

# The text as one line of single blanks.
flat() { tr -s ' \n' '  ' < "$1"; }

sed -n '/^    Deadlock/,/^$/p' README.md > "$scratch/quote"
check_contains 'what README.md quotes' "$(flat tests/data/golden/demo.text)" \
    "$(flat "$scratch/quote" | sed 's/^ *//; s/ *$//')"

for file in $(grep -oE '\]\([^)#]*\)' README.md | tr -d '](){}') \
    $(sed -n '/^## More/,$s/^    \([a-z/]*[A-Z][A-Z]*\) .*/\1/p' README.md) \
    .ci/run mqdump/mqdump.1 mpi_interface.h examples/posted.c; do
    check_equal "$file is there" "$(ls -d "$file" 2> /dev/null)" "$file"
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

# The one command that builds the DLL.
sed -n "s|^    \(cc -shared .*-o \)\(libtvmpich.*\)|\1$scratch/\2|p" \
    README.md > "$scratch/command"
sh "$scratch/command" > "$scratch/said" 2>&1
check_equal "the command that builds the DLL ($(cat "$scratch/said"))" $? 0
"$BUILD/mqcheck" "$scratch/libtvmpich.so" > "$scratch/said" 2>&1
check_equal "mqcheck" $? 0
tests_end
