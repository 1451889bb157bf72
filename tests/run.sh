# run.sh FOLDERS PROGRAMS SCRIPTS: runs each test program in each build folder,
# then each script, and adds up their counts.
#
# The last line of a test is its count; one that ends without it, or with an
# exit status that the count does not explain, has failed.  A folder that could
# not be built has the reason in its file "skipped".

folders=$1 programs=$2 scripts=$3
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

# run NAME COMMAND...
run() {
    name=$1
    shift
    timeout 600 "$@" > "$log" 2>&1
    status=$?
    set -- $(tail -n 1 "$log" | sed -n \
        's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
    if [ $# -ne 3 ] || { [ "$2" -eq 0 ] && [ $status -ne 0 ]; }; then
        cat "$log"
        echo "$name: ended with status $status and no clean count"
        failed=$((failed + 1))
        return
    fi
    [ "$2" -eq 0 ] && [ "$3" -eq 0 ] || sed '$d' "$log"
    echo "$name: $1 passed, $2 failed, $3 skipped"
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

for folder in $folders; do
    if [ -e "$folder/skipped" ]; then
        echo "skipped: test programs of $folder: $(cat "$folder/skipped")"
        skipped=$((skipped + 1))
        continue
    fi
    for program in $programs; do
        program=$folder/tests/$program
        run "$program" env BUILD="$folder" "$program"
    done
done
for script in $scripts; do
    run "$script" sh "$script"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && { [ -z "$CI" ] || [ "$skipped" -eq 0 ]; }
