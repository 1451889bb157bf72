# test_architecture.sh - doc/ARCHITECTURE names each folder and source once
# tier: simulated
#
# doc/ARCHITECTURE names the folders in their order and each source of them once,
# and scripts say their tier; the check that says so finds what is not so.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

sh tests/build/architecture.sh > "$scratch/out" 2>&1
check_equal "this tree: each file has one line, \"    NAME  what it is\", below \
its folder in THE FILES of ARCHITECTURE" "$?: $(cat "$scratch/out")" "0: "

# finds NAME WANTED FILE LINE...: that a copy of the tree in which the lines were
# added to the file, at the end or as the file, is complained of in this way.
finds() {
    name=$1 wanted=$2 file=$3
    shift 3
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    tar --exclude=tests/data -cf - debugger mqdump mqcheck queues watch mpich \
        include examples doc tests | tar -xf - -C "$scratch/tree"
    printf '%s\n' "$@" >> "$scratch/tree/$file"
    sh tests/build/architecture.sh "$scratch/tree" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "$name" "$?: $(cat "$scratch/out")" "1: $wanted"
}

finds "a file that is not named" \
    "debugger/base/planted: it is not in ARCHITECTURE" debugger/base/planted.c ''
finds "a file that is named twice" \
    "examples/posted: it is not in the tree, or twice in ARCHITECTURE" \
    doc/ARCHITECTURE 'THE FILES' 'examples/' '    posted' 'Beside them'
finds "a file that is not there" \
    "examples/gone: it is not in the tree, or twice in ARCHITECTURE" \
    doc/ARCHITECTURE 'THE FILES' 'examples/' '    gone' 'Beside them'
finds "a line that is too long" \
    "$(($(wc -l < doc/ARCHITECTURE) + 1)): this line is longer than 80 columns" \
    doc/ARCHITECTURE "$(printf '%081d' 0)"
finds "a script without a tier" \
    "tests/base/test_planted.sh: its second line names no tier" \
    tests/base/test_planted.sh '# test_planted.sh' '# tears: simulated'
finds "a live script that says it is none" \
    "tests/base/test_planted.sh: it uses live.sh, and is not live" \
    tests/base/test_planted.sh '# p' '# tier: simulated' '. tests/kit/live.sh'
finds "a script that says it is live and is not" \
    "tests/base/test_planted.sh: it is live, and does not use live.sh" \
    tests/base/test_planted.sh '# p' '# tier: live'
finds "a folder of which it is not said what it stands on" \
    "attic/box: it is not in the tree, or twice in ARCHITECTURE
attic: this folder is not in direction.sh" \
    doc/ARCHITECTURE 'THE FILES' 'attic/' '    box' 'Beside them'

tests_end
