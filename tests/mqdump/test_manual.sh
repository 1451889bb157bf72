# test_manual.sh - the manual pages are well formed and complete
# tier: simulated
#
# The manual pages are well formed and refer to pages that exist; mqdump.1 has
# every option and exit status, mqdump-json.7 every member of JSON.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
manual=mqdump/mqdump.1

if command -v mandoc > "$scratch/which"; then
    for page in "$manual" mqcheck/mqcheck.1 doc/*.7; do
        mandoc -T lint "$page" 2>&1 |
            grep -v 'referenced manual' > "$scratch/lint"
        check_equal "$page" "$(cat "$scratch/lint")" ''
    done
    mandoc -T utf8 -O width=200 "$manual" | sed 's/.\x08//g' \
        > "$scratch/manual"
else
    skip 'form of manuals' 'no mandoc'
    tr ',' ' ' < "$manual" | sed 's/\.Fl -/ --/g; s/ Fl -/ --/g' \
        > "$scratch/manual"
fi

for page in $(sed -n 's/^\.Xr \([^ ]*\) \([1-9]\).*/\1.\2/p' mq*/*.1 doc/*.7 |
    sort -u); do
    check_equal "$page, to which a page refers, exists" \
        "$(find mqdump mqcheck doc -name "$page" | wc -l)" 1
done

words() { grep -oE "$1" "$2" | sort -u; }

"$mqdump" --help-all > "$scratch/help"
words '(^|[ ,])--[a-z][a-z-]*' "$scratch/help" | tr -d ' ,' |
    sort -u > "$scratch/options"
check_equal 'options are found' \
    "$(($(wc -l < "$scratch/options") > 25))" 1
while read -r option; do
    if grep -q -e "$option\\([^a-z-]\\|\$\\)" "$scratch/manual"; then
        pass
    else
        echo "$option" | fail 'undocumented'
    fi
done < "$scratch/options"
words '^ +--[a-z][a-z-]*' "$scratch/manual" | tr -d ' ' > "$scratch/documented"
while read -r option; do
    if grep -q -x -e "$option" "$scratch/options"; then
        pass
    else
        echo "$option" | fail 'not an option'
    fi
done < "$scratch/documented"

# The arguments of an option are the same ones in the help and in the manual.
"$mqdump" --help-all | sed -nE 's/^  (-[a-zA-Z], )?(--[a-z-]+)/\2/; s/  .*//
    /^--/s/ *$//p' | sort > "$scratch/helped"
sed -nE 's/^ +(-[a-zA-Z]( n)?, )?--/--/; s/  .*//; s/ \.\.\./.../g
    /^--/s/(--[a-z-]+)(.*)/\1\U\2/p' "$scratch/manual" |
    awk '$1 !~ /[^a-z-]/ && !seen[$1]++' | sort > "$scratch/taught"
command -v mandoc > "$scratch/which" &&
    check_same 'documented arguments' \
        "$scratch/taught" "$scratch/helped"

# The exit status is explained by the sentences of the table that decides it.
sed -n '/^#define MQ_EXITS/,/^$/p' mqdump/cli/exit_status.h | tr -d '\\\n' |
    sed 's/" *"//g' | grep -oE 'X\([a-z_]+, [0-9], "[^"]*"' > "$scratch/exits"
check_equal 'exit statuses' \
    "$(($(wc -l < "$scratch/exits") > 2))" 1
while IFS='"' read -r head what; do
    status=${head#*, }
    check_contains "exit status ${status%%,*}" \
        "$(sed -n "/^\.Sh EXIT STATUS/,/^\.El/{
            /^\.It ${status%%,*}\$/,/^\.It/p; }" "$manual" |
            tr -s '\n' ' ' | tr '[:upper:]' '[:lower:]')" "${what%\"}"
done < "$scratch/exits"

for member in $(words '"[a-z_]+":' tests/data/golden/answers.json | tr -d '":') \
    stayed came went only_before only_after moved call_before call_after; do
    if grep -q -w -e "$member" doc/mqdump-json.7; then
        pass
    else
        echo "$member" | fail 'undocumented member'
    fi
done

tests_end
