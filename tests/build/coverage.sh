# coverage.sh - lines and branches of the DLLs that no test reaches
#
#     coverage.sh PROGRAMS
#
# Runs test programs with the DLLs of a build folder
# ($BUILD) that were compiled for gcov, and tells what they leave out of the two
# DLLs and of what these share, where what tests of either reach counts: a line
# or more than 5 % of the branches fail, and so does what coverage.txt gives no
# reason for, or a reason there that is needed no more.  A program that fails
# runs once more: whether tests pass is not the question here.
#
# SPDX-License-Identifier: BSD-2-Clause

programs=$1
dlls="libtvmpich.so-dll_mpich libtvmpich_handles.so-dll_handles"
log=$(mktemp) || exit 2
trap 'rm -f "$log" "$log".*' EXIT

for dll in $dlls; do
    rm -f "$BUILD/$dll.gcda"
done
# shellcheck disable=SC2016 # the inner shell's
printf '%s\n' $programs | xargs -P "$(nproc)" -n 1 sh -c '
    "$1" > "$0.${1##*/}" 2>&1 || "$1" > "$0.${1##*/}" 2>&1 || {
        cat "$0.${1##*/}"
        echo "coverage: $1 failed"
        exit 1
    }' "$log" || exit 1
: > "$log"
for dll in $dlls; do
    gcov --stdout --branch-probabilities --branch-counts "$BUILD/$dll.gcda" \
        >> "$log" || exit 2
done

awk '
function trim(text) { sub(/^ +/, "", text); return text }

FNR == NR && /^ / { reason[code] = trim($0); next }
FNR == NR && /^[^#]/ { code = $0; next }
FNR == NR { next }

/^ *-: *0:Source:/ {
    file = $0; sub(/.*Source:/, "", file)
}
/^ *[^ :]+: *[1-9][0-9]*:/ {
    count = trim($0); sub(/:.*/, "", count)
    place = $0; sub(/^[^:]*: */, "", place); sub(/:.*/, "", place)
    place = file ":" place
    code = $0; sub(/^[^:]*:[^:]*:/, "", code); code = trim(code)
    branch = 0
    if (count == "-")
        next
    if (!(place in line_of)) {
        order[++lines] = place
        line_of[place] = code
    }
    executed[place] += count !~ /#/
    total[file] += !((file, place) in counted)
    counted[file, place] = 1
}
/^branch/ {
    branch++
    if (branch > branches_of[place])
        branches_of[place] = branch
    if (!/never executed/ && !/ taken 0/)
        taken[place, branch] = 1
}
END {
    for (i = 1; i <= lines; i++) {
        place = order[i]
        code = line_of[place]
        lacks = ""
        if (!executed[place]) {
            missed++
            lacks = "not executed"
        }
        for (branch = 1; branch <= branches_of[place]; branch++) {
            branches++
            if (!((place, branch) in taken)) {
                left++
                if (lacks == "")
                    lacks = "not taken"
            }
        }
        if (lacks == "")
            continue
        why = code in reason ? reason[code] : "no reason in coverage.txt"
        print place ": " lacks ": " code "\n    " why
        unknown += !(code in reason)
        used[code] = 1
    }
    for (code in reason)
        if (!(code in used)) {
            print "coverage.txt: taken now, or no longer there: " code
            stale++
        }
    for (file in total)
        files++
    if (!lines || !branches) {
        print "coverage: gcov told nothing"
        exit 2
    }
    printf "%d files, %d lines, %.2f %% executed; %d branches, " \
        "%.2f %% taken\n", files, lines, 100 * (lines - missed) / lines,
        branches, 100 * (branches - left) / branches
    exit missed > 0 || left > 0.05 * branches || unknown || stale
}' tests/build/coverage.txt "$log"
