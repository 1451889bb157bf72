# test_architecture.sh - the texts about the sources are true
# tier: simulated
#
# Each source has a title, and what doc/ARCHITECTURE and doc/CONTRIBUTING say of
# rooms, files and functions is so; the check finds what is not so.  The verdict
# that ARCHITECTURE works through is what mqdump writes.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

sh tests/build/architecture.sh > "$scratch/out" 2>&1
check_equal "this tree" "$?: $(cat "$scratch/out")" "0: "

make -s files > "$scratch/files"
check_equal "make files names each source once" \
    "$(cut -d' ' -f1 "$scratch/files" | LC_ALL=C sort | uniq -d)" ""
check_contains "make files has titles" \
    "$(grep '^mpi_interface.h ' "$scratch/files")" \
    "$(sed -n '1s/.* - \(.*\)/\1/p' mpi_interface.h)"

sed -n '/^    mqdigest 1$/,/^    end$/s/^    //p' doc/ARCHITECTURE \
    > "$scratch/example.mqdigest"
sed -n '/^    Possible deadlock/,/^$/s/^    //p' doc/ARCHITECTURE \
    > "$scratch/wanted"
COLUMNS=76 "$BUILD/mqdump" "$scratch/example.mqdigest" |
    head -n "$(wc -l < "$scratch/wanted")" > "$scratch/shown"
check_same "the verdict that is worked through" "$scratch/shown" \
    "$scratch/wanted"

# finds NAME WANTED FILE LINE...: that a copy of the tree in which the lines were
# added to the file, at the end or as the file, is reported in this way.
finds() {
    name=$1 wanted=$2 file=$3
    shift 3
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    tar --exclude=tests/data -cf - ./*.[ch] debugger mqdump mqcheck queues \
        watch mpich include examples package doc tests .ci |
        tar -xf - -C "$scratch/tree"
    ln -s "$PWD/tests/data" "$scratch/tree/tests/data"
    printf '%s\n' "$@" >> "$scratch/tree/$file"
    sh tests/build/architecture.sh "$scratch/tree" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "$name" "$?: $(cat "$scratch/out")" "1: $wanted"
}

finds "a source without a title" \
    'debugger/base/planted.c: its first line is not "planted.c - what it is"' \
    debugger/base/planted.c '/* other.c - what has been renamed */'
finds "a script without a title" \
    'tests/kit/planted.sh: its first line is not "planted.sh - what it is"' \
    tests/kit/planted.sh '#!/bin/sh' '# What has no name.'
finds "a room that is drawn twice" \
    "report: it is twice in the drawing of ARCHITECTURE" \
    doc/ARCHITECTURE LAYERS '    report' 'THE WAY'
finds "a room that is not there" \
    "attic: it is in the drawing of ARCHITECTURE, and no room" \
    doc/ARCHITECTURE LAYERS '    attic' 'THE WAY'
finds "an arrow that leads up" \
    "base -> mqdump: it leads up in the table of ARCHITECTURE" \
    doc/ARCHITECTURE LAYERS 'The table' '    base' '    -> mqdump' 'THE WAY'
finds "a file that is named and not there" \
    "doc/ARCHITECTURE: there is no waits/gone" \
    doc/ARCHITECTURE 'See waits/gone.'
finds "a function that is named and not there" \
    "doc/CONTRIBUTING: there is no vanished in ./dll_mpich.c" \
    doc/CONTRIBUTING 'It is in dll_mpich.c: vanished.'
finds "a name that nothing has" \
    "doc/ARCHITECTURE: there is no mq_vanished" \
    doc/ARCHITECTURE 'It calls mq_vanished.'
finds "a line that is too long" \
    "doc/CONTRIBUTING:$(($(wc -l < doc/CONTRIBUTING) + 1)): it is longer than \
80 columns" \
    doc/CONTRIBUTING "$(printf '%081d' 0)"
finds "a script without a tier" \
    "tests/base/test_planted.sh: its second line names no tier" \
    tests/base/test_planted.sh '# test_planted.sh - x' '# tears: simulated'
finds "a live script that says it is none" \
    "tests/base/test_planted.sh: it uses live.sh, and is not live" \
    tests/base/test_planted.sh '# test_planted.sh - x' '# tier: simulated' \
    '. tests/kit/live.sh'
finds "a script that says it is live and is not" \
    "tests/base/test_planted.sh: it is live, and does not use live.sh" \
    tests/base/test_planted.sh '# test_planted.sh - x' '# tier: live'

tests_end
