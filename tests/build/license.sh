# license.sh - adds missing license lines
#
#     license.sh [TREE]
#
# Gives each source of TREE that has none the line that names
# its license, at the end of the comment that it begins with.
#
# doc/CONTRIBUTING says so; tests/build/test_license.sh finds sources without
# it.

cd "${1:-.}" || exit 2

# shellcheck disable=SC2016 # awk's own
add='
function line(before, after) {
    print before "SPDX-License-Identifier: BSD-2-Clause" after
    added = 1
}

# A comment that ends where it begins is followed by one more.
NR == 1 && /^\/\*.*\*\/$/ { print; line("/* ", " */"); next }
NR == 1 && /^\/\*/ { inside = 1 }
inside && /^ \*\/$/ { print " *"; line(" * ", ""); inside = 0 }
inside && /\*\/$/ {
    sub(/ *\*\/$/, "")
    print
    print " *"
    line(" * ", "")
    print " */"
    inside = 0
    next
}

# Signs at the beginning of each line, as in scripts and in Fortran.
NR == 1 && /^[#!]/ && !/^#include/ { sign = substr($0, 1, 1) }
sign != "" && !added && substr($0, 1, 1) != sign {
    print sign
    line(sign " ", "")
    sign = ""
}

# A text that says what a module is.
NR == 1 && /^"""/ { in_text = 1 }
{ print }
in_text && (NR > 1 ? /"""$/ : /^""".*"""$/) {
    print ""
    line("# ", "")
    in_text = 0
}
'

find . -path './.?*' ! -path ./.ci/run -prune -o \
    -path "./${BUILD:-build}" -prune -o \
    \( -name '*.[ch]' -o -name '*.py' -o -name '*.sh' -o -name '*.f90' \
    -o -name '*.mk' -o -name 'Makefile*' -o -path './package/completion/*' \
    -o -path ./.ci/run \) -type f -print |
    while read -r file; do
        grep -q 'SPDX-License-[I]dentifier' "$file" && continue
        awk "$add" "$file" > "$file.new" && cat "$file.new" > "$file"
        rm -f "$file.new"
    done
