# words.sh - checks names against the glossary
#
#     words.sh [TREE]
#
# Prints each file and each mq_ name in TREE with a part that the glossary of
# doc/CONTRIBUTING excludes, and each header whose name another one has.  make
# lint runs it.
#
# SPDX-License-Identifier: BSD-2-Clause

cd "${1:-.}" || exit 2

never=$(sed -n '/^GLOSSARY/,/^COMPATIBILITY/s/.*; never //p' doc/CONTRIBUTING |
    tr -d ' .' | tr ',' '|' | paste -sd'|' -)
[ -n "$never" ] || {
    echo "doc/CONTRIBUTING: the glossary excludes no word"
    exit 1
}

find . \( -path './.?*' -o -path "./${BUILD:-build}" \) -prune \
    -o -name '*.[ch]' -print | LC_ALL=C sort | sed 's|^\./||' | {
    sources=$(cat)
    {
        echo "$sources" | grep '\.h$' | sed 's|.*/||' | sort | uniq -d |
            sed 's/.*/&: two headers have this name/'
        echo "$sources" | grep -v '^tests/' |
            grep -E "[/_]($never)s?[_.]" | sed 's/$/: never used as a word/'
        # shellcheck disable=SC2046 # these are several words
        grep -noE '\bmq_[a-z0-9_]+\b' \
            $(echo "$sources" | grep -E '^(debugger|mqdump)/') |
            grep -E "_($never)s?(_|\$)" | sed 's/$/: never used as a word/'
    } | awk '{ print } END { exit NR > 0 }'
}
