# direction.sh [TREE]: whether the includes of the sources in TREE lead one way
# only.  Tells each that goes up, each file in a folder that is not in the list,
# each include that does not name its folder, and a cycle between files if there
# is one; make lint runs it.
#
# tests/ may include anything, and nothing includes tests/.
#
# SPDX-License-Identifier: BSD-2-Clause

cd "${1:-.}" || exit 2

# Each folder, and those that it stands on: it may include from them and from
# all that these stand on.  "." is the folder of the DLL, and of the interface,
# which all may include.  Folders are told without debugger/.
list='
include
mpich       include
.           mpich
base        include
mpi
process     base
target      process mpi
machine     target
dwarf       machine
python      target
direct      dwarf python
job         process mpi
acquire     target job
dll         acquire
mpis        acquire
handles     dll mpis
read        handles
waits       job
analysis    waits
report      analysis
picture     report
library     read direct picture
mqdump/system   acquire dll
mqdump/read     mqdump/system direct read analysis
mqdump/live     mqdump/read
mqdump/launch   mqdump/live
mqdump/cluster  mqdump/read
mqdump/source   mqdump/cluster mqdump/launch
mqdump/cli      mqdump/source picture
mqdump/follow   mqdump/cli
mqdump          mqdump/follow
mqcheck/simulation  target job
mqcheck/findings    base
mqcheck/host        mqcheck/findings dll
mqcheck/exercises   mqcheck/host mqcheck/simulation
mqcheck/handles     mqcheck/exercises
mqcheck             mqcheck/handles
queues
watch       include
examples    include
'

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

function stands_on(upper, lower,    i, count, feet) {
    if (upper == lower)
        return 1
    count = split(below[upper], feet, " ")
    for (i = 1; i <= count; i++)
        if (stands_on(feet[i], lower))
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
            " is not in the list of tests/build/direction.sh")
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
        fault("\"" path "\" does not name its folder")
    else if (!(there in below))
        fault("\"" path \
            "\" is in no folder of the list of tests/build/direction.sh")
    else if ((here in below) && !stands_on(here, there))
        fault("\"" path "\" goes up: " here " does not stand on " there)
    if (unit_of(path) != unit_of(FILENAME))
        edges[unit_of(FILENAME)] = edges[unit_of(FILENAME)] " " unit_of(path)
}

END {
    for (unit in edges)
        follow(unit, " ")
    exit faults > 0
}' $sources
}
