# test_mqcheck_handles.sh - mqcheck on handle DLLs
# tier: simulated, long
#
# mqcheck finds nothing in our handle DLL, and in each of the wrong ones the
# rules that it breaks.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqcheck=$BUILD/mqcheck

# broken DLL: the numbers of the rules that it breaks, in one line.
broken() {
    "$mqcheck" --tap --limit 5 "$1" 2> /dev/null > "$scratch/tap"
    status=$?
    sed -n 's/^not ok \([0-9]*\) .*/\1/p' "$scratch/tap" | tr '\n' ' '
    echo "status $status"
}

check_equal "our DLL" \
    "$(broken "$BUILD/libtvmpich_handles.so")" "status 0"
rules=$(sed -n '/# SKIP/d; s/^ok \([0-9]*\) - \([a-z_]*\):.*/\1 \2/p' \
    "$scratch/tap")
check_equal "rules not tested" \
    "$(grep -c '# SKIP nothing' "$scratch/tap")" 0

# The numbers that come first are those that the file's name has.
for source in tests/dlls/wrong_handles/*.c; do
    name=$(basename "$source" .c)
    number=$(expr "$name" : '0*\([0-9]*\)_')
    also=$(sed -n 's,^/\* also breaks: \(.*\) \*/,\1,p' "$source")
    all=$(printf '%s\n' $number $also | sort -n | tr '\n' ' ')
    check_equal "rules that $name breaks" \
        "$(broken "$BUILD/tests/dlls/wrong_handles/$name.so")" \
        "${all}status 1"
done
check_equal "wrong DLLs" \
    "$(ls tests/dlls/wrong_handles/*.c |
        sed 's,.*/0*\([0-9]*\)_\(.*\)\.c,\1 \2,' | sort -n)" "$rules"

check_contains "the sum" "$("$mqcheck" "$BUILD/libtvmpich_handles.so")" \
    "33 rules kept, 0 broken, 0 not tested"

tests_end
