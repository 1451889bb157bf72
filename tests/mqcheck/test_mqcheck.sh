# test_mqcheck.sh - mqcheck on correct and wrong DLLs
# tier: simulated, long
#
# mqcheck finds nothing in our DLL, in each of the wrong DLLs the rule that it
# breaks, and says so in ways that people and programs can use.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqcheck=$BUILD/mqcheck

# broken DLL: the numbers of the rules that it breaks, in one line.
broken() {
    "$mqcheck" --tap --limit 2 "$1" 2> /dev/null > "$scratch/tap"
    status=$?
    sed -n 's/^not ok \([0-9]*\) .*/\1/p' "$scratch/tap" | tr '\n' ' '
    echo "status $status"
}

check_equal "our DLL" \
    "$(broken "$BUILD/libtvmpich.so")" "status 0"
check_equal "rules not tested" \
    "$(grep -c '# SKIP nothing' "$scratch/tap")" 0
number='s/^ok \([0-9]*\) - \([a-z_]*\):.*/\1 \2/p'
rules=$(sed -n "$number" "$scratch/tap")
tested=$(sed -n "/# SKIP/d; $number" "$scratch/tap")

for source in tests/dlls/right/*.c; do
    name=$(basename "$source" .c)
    check_equal "DLL $name" \
        "$(broken "$BUILD/tests/dlls/right/$name.so")" "status 0"
done

# Some rules can be broken in more than one way: RULE-WAY.c.
for source in tests/dlls/wrong/*.c; do
    name=$(basename "$source" .c)
    number=$(expr "$name" : '0*\([0-9]*\)_')
    also=$(sed -n 's,^/\* also breaks: \(.*\) \*/,\1 ,p' "$source")
    check_equal "DLL $name" \
        "$(broken "$BUILD/tests/dlls/wrong/$name.so")" \
        "$number ${also}status 1"
done

# The rules, the wrong DLLs and the manual are the same.
check_equal "wrong DLLs" \
    "$(ls tests/dlls/wrong/*.c |
        sed 's,.*/0*\([0-9]*\)_\([^-]*\).*\.c,\1 \2,' | sort -nu)" \
    "$tested"
check_equal "manual" \
    "$(sed -n 's/^\.It \([0-9]*\) \([a-z_]*\)$/\1 \2/p' \
        mqcheck/mqcheck.1)" "$rules"

# Answers for people.
"$mqcheck" "$BUILD/tests/dlls/wrong/13_output.so" > "$scratch/plain"
check_golden "output" "$(grep -v 'times in all' "$scratch/plain")"

golden "no DLL" "$mqcheck"
golden "a missing DLL" "$mqcheck" "$scratch/none.so"
golden "a wrong option" "$mqcheck" --loud "$BUILD/libtvmpich.so"
golden "a wrong limit" "$mqcheck" --limit 0 "$BUILD/libtvmpich.so"
echo "mqsnap 999" > "$scratch/bad.mqsnap"
golden "a bad snapshot" "$mqcheck" "$BUILD/libtvmpich.so" \
    "$scratch/bad.mqsnap"
mkfifo "$scratch/pipe"
golden "DLL: pipe" "$mqcheck" "$scratch/pipe"
golden "snapshot: pipe" "$mqcheck" "$BUILD/libtvmpich.so" "$scratch/pipe"
if [ -c /dev/full ]; then
    golden "a full disk" sh -c "$mqcheck $BUILD/libtvmpich.so > /dev/full"
else
    skip "a full disk" "no /dev/full"
fi

echo "no library" > "$scratch/text.so"
check_equal "DLL: text" "$(broken "$scratch/text.so")" "1 status 1"

check_golden "genuine jobs" "$("$mqcheck" "$BUILD/libtvmpich.so" \
    "$genuine"/*.mqsnap | tail -n 1)"

# Lists are led where they have no end: of the four shapes in two ways, and of a
# recording, too.
broken_times() {
    "$mqcheck" "$BUILD/tests/dlls/wrong/38_crash-list.so" "$@" |
        sed -n 's/.* broken \([0-9]*\) times in all.*/\1/p'
}
alone=$(broken_times)
check_equal "an endless list" "$((alone > 1))" 1
check_equal "endless, recorded" \
    "$(broken_times "$genuine/pend-le64.1.mqsnap")" "$((alone + 1))"

# Somebody else's DLL.
openmpi=$(ls /usr/lib/*/openmpi/lib/openmpi3/libompi_dbg_msgq.so 2> /dev/null |
    head -n 1)
if [ -n "$openmpi" ]; then
    "$mqcheck" "$openmpi" > "$scratch/out" 2> "$scratch/err"
    check_equal "Open MPI's DLL: status" $? 1
    check_contains "Open MPI's DLL: exports" "$(cat "$scratch/out")" \
        ompi_fetch_int
    check_golden "Open MPI's DLL" "$(errors | sed "s|$openmpi|DLL|g")"
else
    skip "Open MPI's DLL" "no libopenmpi3"
fi

tests_end
