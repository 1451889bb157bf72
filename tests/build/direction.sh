# direction.sh - checks the direction of includes
#
#     direction.sh [TREE]
#
# Prints each include of the sources in TREE that is not of its own room or one
# below it, each file in a room that is not in the table, each include that does
# not name its room, and a cycle between files if there is one; make lint runs it.
# The table, of doc/ARCHITECTURE, has a line for each room and behind "->" those
# that it uses: it may include from them and from all that these use.  "." is the
# folder of the DLL, and of the interface, which all may include.  tests/ may
# include anything, and nothing includes tests/.
#
# SPDX-License-Identifier: BSD-2-Clause

cd "${1:-.}" || exit 2

list=$(sed -n '/^The table/,/^THE WAY/p' doc/ARCHITECTURE |
    awk '/^    [a-z.]/ { printf "%s%s", sep, $1; sep = "\n" }
        /^ +-> / { sub(/^ +-> /, " "); printf "%s", $0 }')
[ -n "$list" ] || {
    echo "doc/ARCHITECTURE has no table of rooms"
    exit 2
}

find . -path './.?*' -prune -o -path ./tests -prune -o \
    -path "./${BUILD:-build}" -prune -o -name '*.[ch]' -print |
    LC_ALL=C sort | sed 's|^\./||' | {
    sources=$(cat)
    # shellcheck disable=SC2086 # these are several words
    [ -z "$sources" ] || awk -v list="$list" '
function fault(text) {
    print FILENAME ":" FNR ": " text
    faults++
}

function folder_of(path) {
    if (path !~ /\//)
        return "."
    sub(/\/[^\/]*$/, "", path)
    sub(/^debugger\//, "", path)
    return path
}

# A source and its header are one.
function unit_of(path) {
    sub(/\.[ch]$/, "", path)
    sub(/^debugger\//, "", path)
    return path
}

function uses(upper, lower,    i, count, used) {
    if (upper == lower)
        return 1
    count = split(below[upper], used, " ")
    for (i = 1; i <= count; i++)
        if (uses(used[i], lower))
            return 1
    return 0
}

# Looks for a way back to a unit that TRAIL comes from.
function follow(unit, trail,    i, count, targets) {
    if (on_trail[unit]) {
        sub("^.* " unit " -> ", unit " -> ", trail)
        print "files include each other: " trail unit
        faults++
        return
    }
    if (done[unit]++)
        return
    on_trail[unit] = 1
    count = unit in edges ? split(edges[unit], targets, " ") : 0
    for (i = 1; i <= count; i++)
        follow(targets[i], trail unit " -> ")
    on_trail[unit] = 0
}

BEGIN {
    rows = split(list, row, "\n")
    for (i = 1; i <= rows; i++)
        if (split(row[i], word, " ") > 0) {
            below[word[1]] = row[i]
            sub(/^[^ ]* */, "", below[word[1]])
        }
}

FNR == 1 {
    here = folder_of(FILENAME)
    if (!(here in below))
        fault("the folder " here \
            " is not in the table of doc/ARCHITECTURE")
}

match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]*/) {
    path = substr($0, RSTART, RLENGTH)
    system_header = path ~ /</
    sub(/^[^"<]*["<]/, "", path)
    there = folder_of(path)
    if (system_header && (there == "." || !(there in below)))
        next
    if (path == "mpi_interface.h")
        next
    if (there == "." && here != ".")
        fault("\"" path "\" does not name its room")
    else if (!(there in below))
        fault("\"" path \
            "\" is in no room of the table of doc/ARCHITECTURE")
    else if ((here in below) && !uses(here, there))
        fault("\"" path "\" leads up: " here " does not use " there)
    if (unit_of(path) != unit_of(FILENAME))
        edges[unit_of(FILENAME)] = edges[unit_of(FILENAME)] " " unit_of(path)
}

END {
    for (unit in edges)
        follow(unit, " ")
    exit faults > 0
}' $sources
}
