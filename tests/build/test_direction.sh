# test_direction.sh - the check of the direction of includes
# tier: simulated
#
# Includes lead one way only; the check that says so finds what does not.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

sh tests/build/direction.sh > "$scratch/out" 2>&1
check_equal "this tree" "$?: $(cat "$scratch/out")" "0: "

# finds NAME FILE LINE...: that a copy of the tree in which the lines
# were added to the file is reported, and how.
finds() {
    name=$1 file=$2
    shift 2
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    tar -cf - ./*.[ch] debugger mqdump mqcheck include doc |
        tar -xf - -C "$scratch/tree"
    mkdir -p "$scratch/tree/${file%/*}"
    printf '%s\n' "$@" >> "$scratch/tree/$file"
    sh tests/build/direction.sh "$scratch/tree" > "$scratch/out"
    check_equal "$name: status" $? 1
    check_golden "$name" "$(sed 's/^[^ ]*:[0-9]*: //' "$scratch/out")"
}

finds "upwards" \
    debugger/base/nearest.c '#include "target/platform.h"'
finds "a neighbour" \
    debugger/model/job.h ' # include "target/target.h"'
finds "another program" \
    watch/queues.c '#include "mqdump/cli/settings.h"'
finds "tests" \
    mqcheck/mqcheck.c '#include "tests/kit/harness.h"'
finds "MPICH's structures" \
    debugger/dll/walk.c '#include "mpich_dll_defs.h"'
finds "an unlisted folder" \
    debugger/attic/box.c '#include "base/error.h"'
finds "no folder" debugger/dll/dll.h '#include "walk.h"'
finds "parent folder" \
    debugger/dll/dll.h '#include "../base/error.h"'
finds "a circle" \
    debugger/base/error.h '#include "base/strbuf.h"'

tests_end
