# run_one.sh - runs one test
#
#     run_one.sh RESULTS FOLDER TEST
#
# Runs one test with what was built in FOLDER, prints its output if that is of
# interest (all of it when something failed or was skipped, else its notes) and
# how long it took, and adds its counts, FOLDER and TEST as a line to the file
# RESULTS.  The end of what a failure printed goes to a file beside it, which a
# later run of the test replaces.
#
# The last line of a test is its count; one that ends without it, or with an
# exit status that the count does not explain, has failed.  So has one that
# takes a quarter of an hour, which is killed with all that it has started.
#
# SPDX-License-Identifier: BSD-2-Clause

results=$1 BUILD=$2 test=$3
export BUILD
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

begin=$(date +%s)
case $test in
*.sh) timeout -k 60 900 sh "$test" > "$log" 2>&1 ;;
*) timeout -k 60 900 "$test" > "$log" 2>&1 ;;
esac
status=$?
took=$(($(date +%s) - begin))

pattern='^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$'
set -- $(tail -n 1 "$log" | sed -n "s/$pattern/\\1 \\2 \\3/p")
if [ $# -ne 3 ] || { [ "$2" -eq 0 ] && [ $status -ne 0 ]; }; then
    echo "$test: ended with status $status and no clean count" >> "$log"
    set -- 0 1 0
elif [ "$2" -eq 0 ] && [ "$3" -eq 0 ]; then
    sed -i '/^note: /!d' "$log"
    echo "$test: $1 passed, $2 failed, $3 skipped, in $took s" >> "$log"
else
    sed -i '$d' "$log"
    echo "$test: $1 passed, $2 failed, $3 skipped, in $took s" >> "$log"
fi
cat "$log"
end=$results.failed.$(echo "$BUILD $test" | tr ' /' __)
rm -f "$end"
[ "$2" -eq 0 ] || tail -n 60 "$log" > "$end"
echo "$1 $2 $3 $BUILD $test" >> "$results"
