# coverage.sh PROGRAMS: runs the test programs of a build folder ($BUILD) that was
# compiled for gcov, and tells what they leave out of dll_mpich.c: a line or
# less than 95 % of the branches fail, and so does a branch that coverage.txt
# gives no reason for, or a reason there that is needed no more.

programs=$1
data=$BUILD/libtvmpich.so-dll_mpich.gcda
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

rm -f "$data"
for program in $programs; do
    if ! "$BUILD/tests/$program" > "$log" 2>&1; then
        cat "$log"
        echo "coverage: $program failed"
        exit 1
    fi
done
gcov --stdout --branch-probabilities --branch-counts "$data" > "$log" || exit 2

awk '
function trim(text) { sub(/^ +/, "", text); return text }

FNR == NR && /^ / { reason[code] = trim($0); next }
FNR == NR && /^[^#]/ { code = $0; next }
FNR == NR { next }

/^ *[^ :]+: *[0-9]+:/ {
    count = trim($0); sub(/:.*/, "", count)
    place = $0; sub(/^[^:]*: */, "", place); sub(/:.*/, "", place)
    code = $0; sub(/^[^:]*:[^:]*:/, "", code); code = trim(code)
    lines += count != "-" && place > 0
    if (count ~ /#/) {
        missed++
        print "dll_mpich.c:" place ": not executed: " code
    }
}
/^branch/ {
    branches++
    if (/never executed/ || / taken 0/) {
        left++
        why = code in reason ? reason[code] : "no reason in coverage.txt"
        print "dll_mpich.c:" place ": not taken: " code "\n    " why
        unknown += !(code in reason)
        used[code] = 1
    }
}
END {
    for (code in reason)
        if (!(code in used)) {
            print "coverage.txt: taken now, or no longer there: " code
            stale++
        }
    if (!lines || !branches) {
        print "coverage: gcov told nothing"
        exit 2
    }
    printf "%d lines, %.2f %% executed; %d branches, %.2f %% taken\n",
        lines, 100 * (lines - missed) / lines, branches,
        100 * (branches - left) / branches
    exit missed > 0 || left > 0.05 * branches || unknown || stale
}' tests/coverage.txt "$log"
