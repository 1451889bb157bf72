# architecture.sh - checks ARCHITECTURE and CONTRIBUTING against the sources
#
#     architecture.sh [TREE]
#
# In TREE each source begins with its title; in doc/ARCHITECTURE the arrows of
# the table of rooms lead to rows below, there and in the drawing, which has each
# room of debugger/ once; files and functions that ARCHITECTURE and CONTRIBUTING
# name exist; no line of the two has more than 80 columns; and each script of the
# tests names its tier.  Prints what is not so; make lint runs it.
#
# SPDX-License-Identifier: BSD-2-Clause

cd "${1:-.}" || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# ---- Titles ------------------------------------------------------------------

find . \( -path './.?*' -o -path "./${BUILD:-build}" -o -path ./build \
    -o -path ./tests/data \) -prune -o \( -name '*.[ch]' -o -name '*.def' \
    -o -name '*.py' -o -name '*.sh' -o -name '*.js' -o -name '*.css' \
    -o -name '*.mk' \) -print |
    LC_ALL=C sort | sed 's|^\./||' > "$scratch/sources"

titles() {
    xargs awk '
function check() {
    name = FILENAME
    sub(/.*\//, "", name)
    line = $0
    sub(/^[^A-Za-z0-9_]*/, "", line)
    if (index(line, name " - ") != 1)
        print FILENAME ": its first line is not \"" name " - what it is\""
}
FNR == 1 && !/^#!/ { check() }
FNR == 1 { has_interpreter = /^#!/ }
FNR == 2 && has_interpreter { check() }' < "$scratch/sources"
}

# ---- The table of rooms, and the drawing -------------------------------------

layers() {
    sed -n '/^LAYERS$/,/^THE WAY/p' doc/ARCHITECTURE | awk '
/^LAYERS$/ { in_table = 0 }
/^The table/ { in_table = 1 }
!in_table && /^     *[a-z]/ {
    rows++
    for (i = 1; i <= NF; i++) {
        if ($i in drawn)
            print $i ": it is twice in the drawing of ARCHITECTURE"
        else
            drawn[$i] = rows
    }
}
in_table && /^    [a-z.]/ {
    room = $1
    if (!(room in place))
        place[room] = ++count
}
in_table && /^ +-> / {
    for (i = 2; i <= NF; i++) {
        from[++arrows] = room
        to[arrows] = $i
    }
}
END {
    for (i = 1; i <= arrows; i++) {
        if (place[to[i]] <= place[from[i]])
            print from[i] " -> " to[i] ": it leads up in the table of" \
                " ARCHITECTURE"
        if (from[i] in drawn && to[i] in drawn \
            && drawn[to[i]] <= drawn[from[i]])
            print from[i] " -> " to[i] ": it leads up in the drawing of" \
                " ARCHITECTURE"
    }
    for (room in drawn)
        print room > "'"$scratch/drawn"'"
}'
    { ls debugger; echo include; } | grep -v '\.' | LC_ALL=C sort \
        > "$scratch/rooms"
    LC_ALL=C sort "$scratch/drawn" | diff - "$scratch/rooms" |
        sed -n 's/^> \(.*\)/\1: it is not in the drawing of ARCHITECTURE/p
            s/^< \(.*\)/\1: it is in the drawing of ARCHITECTURE, and no room/p'
}

# ---- Files and functions that are named --------------------------------------

grep '\.[ch]$' "$scratch/sources" > "$scratch/code"

# The file or folder that NAME is short for.
find_file() {
    for folder in . debugger mqdump; do
        for file in "$folder/$1" "$folder/$1.c" "$folder/$1.h"; do
            [ ! -e "$file" ] || {
                echo "$file"
                return
            }
        done
    done
}

names() {
    for text in doc/ARCHITECTURE doc/CONTRIBUTING; do
        tr -s ' (),;"' '\n' < "$text" | sed 's/[.:]*$//' |
            grep -E '^[a-z_]+/[a-zA-Z0-9_/.]*$' | LC_ALL=C sort -u |
            while read -r name; do
            case $name in build/* | *NAME* | *VERSION*) continue ;; esac
            [ -n "$(find_file "${name%/}")" ] ||
                echo "$text: there is no $name"
        done
        grep -ohE '\bmqs?_[a-z_]+\b' "$text" | LC_ALL=C sort -u |
            while read -r name; do
            xargs grep -qw "$name" < "$scratch/code" ||
                echo "$text: there is no $name"
        done
        # FILE: FUNCTION, FUNCTION, which may go on in the next line; where prose
        # follows, the first one.
        awk '/[a-z]:$|[a-z],$/ { printf "%s ", $0; next } { print }' "$text" |
            tr -s ' ' > "$scratch/lines"
        name='[A-Za-z]+_[A-Za-z_]+' names='[A-Za-z_]+(, [A-Za-z_]+)*([;:.)]|$)'
        { grep -oE "[a-z_/]+\.[ch]: $names" "$scratch/lines"
            grep -oE "[a-z_/]+\.[ch]: $name" "$scratch/lines"; } |
            while read -r name functions; do
            file=$(find_file "${name%:}")
            for function in $(echo "$functions" | tr -d ',;:.)'); do
                [ -z "$file" ] || grep -qw "$function" "$file" ||
                    echo "$text: there is no $function in $file"
            done
        done
    done
}

# ---- Tiers -------------------------------------------------------------------

# The Makefile finds the scripts of each tier by what they say.
tiers() {
    for script in tests/*/test_*.sh; do
        tier=$(sed -n '2s/^# tier: \([a-z]*\).*/\1/p' "$script")
        uses=$(grep -q '^\. tests/kit/live\.sh' "$script" && echo live)
        case $tier,$uses in
        simulated, | builds, | live,live) ;;
        live,) echo "$script: it is live, and does not use live.sh" ;;
        simulated,live | builds,live)
            echo "$script: it uses live.sh, and is not live" ;;
        *) echo "$script: its second line names no tier" ;;
        esac
    done
}

{
    titles
    layers
    names
    grep -n '.\{81\}' doc/ARCHITECTURE doc/CONTRIBUTING |
        sed 's/^\([^:]*:[0-9]*\):.*/\1: it is longer than 80 columns/'
    tiers
} > "$scratch/faults"
cat "$scratch/faults"
[ ! -s "$scratch/faults" ]
