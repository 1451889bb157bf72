# test_architecture.sh - ARCHITECTURE and CONTRIBUTING match the sources
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
check_equal "make files: names" \
    "$(cut -d' ' -f1 "$scratch/files" | LC_ALL=C sort | uniq -d)" ""
check_contains "make files: titles" \
    "$(grep '^mpi_interface.h ' "$scratch/files")" \
    "$(sed -n '1s/.* - \(.*\)/\1/p' mpi_interface.h)"

sed -n '/^    mqdigest 1$/,/^    end$/s/^    //p' doc/ARCHITECTURE \
    > "$scratch/example.mqdigest"
sed -n '/^    Possible deadlock/,/^$/s/^    //p' doc/ARCHITECTURE \
    > "$scratch/wanted"
COLUMNS=76 "$BUILD/mqdump" "$scratch/example.mqdigest" |
    head -n "$(wc -l < "$scratch/wanted")" > "$scratch/shown"
check_same "worked example" "$scratch/shown" \
    "$scratch/wanted"

# finds NAME FILE LINE...: that a copy of the tree in which the lines were
# added to the file, at the end or as the file, is reported, and how.
finds() {
    name=$1 file=$2
    shift 2
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    tar --exclude=tests/data -cf - ./*.[ch] debugger mqdump mqcheck queues \
        watch mpich include examples package doc tests .ci |
        tar -xf - -C "$scratch/tree"
    ln -s "$PWD/tests/data" "$scratch/tree/tests/data"
    printf '%s\n' "$@" >> "$scratch/tree/$file"
    sh tests/build/architecture.sh "$scratch/tree" > "$scratch/out" \
        2> "$scratch/err"
    status=$?
    check_golden "$name" \
        "$(sed 's/^\([^ ]*\):[0-9]*: /\1: /' "$scratch/out")
exit $status"
}

finds "untitled source" \
    debugger/base/planted.c '/* other.c - what has been renamed */'
finds "untitled script" \
    tests/kit/planted.sh '#!/bin/sh' '# What has no name.'
finds "drawn twice" \
    doc/ARCHITECTURE LAYERS '    report' 'THE WAY'
finds "missing room" \
    doc/ARCHITECTURE LAYERS '    attic' 'THE WAY'
finds "arrow up" \
    doc/ARCHITECTURE LAYERS 'The table' '    base' '    -> mqdump' 'THE WAY'
finds "missing file" \
    doc/ARCHITECTURE 'See waits/gone.'
finds "missing function" \
    doc/CONTRIBUTING 'It is in dll_mpich.c: vanished.'
finds "missing name" \
    doc/ARCHITECTURE 'It calls mq_vanished.'
finds "a long line" \
    doc/CONTRIBUTING "$(printf '%081d' 0)"
finds "no tier" \
    tests/base/test_planted.sh '# test_planted.sh - x' '# tears: simulated'
finds "wrong tier simulated" \
    tests/base/test_planted.sh '# test_planted.sh - x' '# tier: simulated' \
    '. tests/kit/live.sh'
finds "wrong tier live" \
    tests/base/test_planted.sh '# test_planted.sh - x' '# tier: live'

tests_end
