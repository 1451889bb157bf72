# test_mqcheck.sh - what mqcheck finds in our DLL, and in wrong ones
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

check_equal "rules that our DLL breaks" \
    "$(broken "$BUILD/libtvmpich.so")" "status 0"
check_equal "rules that are not put to the test" \
    "$(grep -c '# SKIP nothing' "$scratch/tap")" 0
number='s/^ok \([0-9]*\) - \([a-z_]*\):.*/\1 \2/p'
rules=$(sed -n "$number" "$scratch/tap")
tested=$(sed -n "/# SKIP/d; $number" "$scratch/tap")

for source in tests/dlls/right/*.c; do
    name=$(basename "$source" .c)
    check_equal "rules that $name breaks" \
        "$(broken "$BUILD/tests/dlls/right/$name.so")" "status 0"
done

# Some rules can be broken in more than one way: RULE-WAY.c.
for source in tests/dlls/wrong/*.c; do
    name=$(basename "$source" .c)
    number=$(expr "$name" : '0*\([0-9]*\)_')
    also=$(sed -n 's,^/\* also breaks: \(.*\) \*/,\1 ,p' "$source")
    check_equal "rules that $name breaks" \
        "$(broken "$BUILD/tests/dlls/wrong/$name.so")" \
        "$number ${also}status 1"
done

# The rules, the wrong DLLs and the manual are the same.
check_equal "rules with a wrong DLL" \
    "$(ls tests/dlls/wrong/*.c |
        sed 's,.*/0*\([0-9]*\)_\([^-]*\).*\.c,\1 \2,' | sort -nu)" \
    "$tested"
check_equal "rules in the manual" \
    "$(sed -n 's/^\.It \([0-9]*\) \([a-z_]*\)$/\1 \2/p' \
        mqcheck/mqcheck.1)" "$rules"

# Answers for people.
"$mqcheck" "$BUILD/tests/dlls/wrong/13_output.so" > "$scratch/plain"
check_contains "what is said about output" "$(cat "$scratch/plain")" \
    'le64, what is shown: mqs_get_communicator wrote "'
check_contains "the sum" "$(tail -n 1 "$scratch/plain")" \
    "37 rules kept, 1 broken, 0 not tested"

# trouble NAME TEXT ARGUMENT...: exit status 2 and a sentence with TEXT.
trouble() {
    name=$1 text=$2
    shift 2
    "$mqcheck" "$@" > "$scratch/out" 2> "$scratch/err"
    check_equal "$name: status" $? 2
    check_contains "$name" "$(cat "$scratch/err")" "$text"
}

trouble "no DLL" "which DLL?"
trouble "a DLL that is not there" "No such file" "$scratch/none.so"
trouble "an unknown option" "--loud" --loud "$BUILD/libtvmpich.so"
trouble "a wrong limit" "seconds" --limit 0 "$BUILD/libtvmpich.so"
echo "mqsnap 999" > "$scratch/bad.mqsnap"
trouble "a bad snapshot" "bad.mqsnap:1" "$BUILD/libtvmpich.so" \
    "$scratch/bad.mqsnap"
mkfifo "$scratch/pipe"
trouble "a DLL that is a pipe" "it is not a regular file" "$scratch/pipe"
trouble "a snapshot that is a pipe" "is a pipe" "$BUILD/libtvmpich.so" \
    "$scratch/pipe"
if [ -c /dev/full ]; then
    "$mqcheck" "$BUILD/libtvmpich.so" > /dev/full 2> "$scratch/err"
    check_equal "a full disk: status" $? 2
    check_contains "a full disk" "$(cat "$scratch/err")" "cannot be written"
else
    skip "a full disk" "there is no /dev/full"
fi

echo "no library" > "$scratch/text.so"
check_equal "a file that is no library" "$(broken "$scratch/text.so")" \
    "1 status 1"

check_equal "genuine jobs" "$("$mqcheck" "$BUILD/libtvmpich.so" \
    "$genuine"/*.mqsnap | tail -n 1 | sed 's/^[^:]*: //')" \
    "38 rules kept, 0 broken, 0 not tested"

# Lists are led where they have no end: of the four shapes in two ways, and of a
# recording, too.
broken_times() {
    "$mqcheck" "$BUILD/tests/dlls/wrong/38_crash-list.so" "$@" |
        sed -n 's/.* broken \([0-9]*\) times in all.*/\1/p'
}
alone=$(broken_times)
check_equal "a list without an end" "$((alone > 1))" 1
check_equal "a list without an end of a recording" \
    "$(broken_times "$genuine/pend-le64.1.mqsnap")" "$((alone + 1))"

# Somebody else's DLL.
openmpi=$(ls /usr/lib/*/openmpi/lib/openmpi3/libompi_dbg_msgq.so 2> /dev/null |
    head -n 1)
if [ -n "$openmpi" ]; then
    "$mqcheck" "$openmpi" > "$scratch/out" 2> "$scratch/err"
    check_equal "Open MPI's DLL: status" $? 1
    check_contains "Open MPI's DLL: exports" "$(cat "$scratch/out")" \
        "it exports ompi_fetch_int"
    check_contains "Open MPI's DLL: no target" "$(cat "$scratch/err")" \
        "give snapshots of its own MPI"
else
    skip "Open MPI's DLL" "Debian's libopenmpi3 is not installed"
fi

tests_end
