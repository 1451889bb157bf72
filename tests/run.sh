# Runs the test programs and scripts that are named and adds up their counts.
# A program's last line is its count; one that ends without it, or with an exit
# status that the counts do not explain, has failed.

passed=0 failed=0 skipped=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

for test in "$@"; do
    case $test in
    *.sh) timeout 600 sh "$test" > "$log" 2>&1 ;;
    *) timeout 600 "$test" > "$log" 2>&1 ;;
    esac
    status=$?
    counts=$(tail -n 1 "$log" | sed -n \
        's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
    name=$(basename "$test")
    set -- $counts
    if [ $# -ne 3 ] || { [ "$2" -eq 0 ] && [ $status -ne 0 ]; }; then
        cat "$log"
        echo "$name: ended with status $status and no clean count"
        failed=$((failed + 1))
        continue
    fi
    [ "$2" -eq 0 ] && [ "$3" -eq 0 ] || sed '$d' "$log"
    echo "$name: $1 passed, $2 failed, $3 skipped"
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && { [ -z "$CI" ] || [ "$skipped" -eq 0 ]; }
