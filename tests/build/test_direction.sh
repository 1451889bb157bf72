# test_direction.sh - includes lead one way only
# tier: simulated
#
# Includes lead one way only; the check that says so finds what does not.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

sh tests/build/direction.sh > "$scratch/out" 2>&1
check_equal "this tree" "$?: $(cat "$scratch/out")" "0: "

# finds NAME WANTED FILE LINE...: that a copy of the tree in which the lines
# were added to the file is reported in this way, and in no other.
finds() {
    name=$1 wanted=$2 file=$3
    shift 3
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    tar -cf - ./*.[ch] debugger mqdump mqcheck include doc |
        tar -xf - -C "$scratch/tree"
    mkdir -p "$scratch/tree/${file%/*}"
    printf '%s\n' "$@" >> "$scratch/tree/$file"
    sh tests/build/direction.sh "$scratch/tree" > "$scratch/out"
    check_equal "$name: status" $? 1
    check_equal "$name" "$(sed 's/^[^ ]*:[0-9]*: //' "$scratch/out")" "$wanted"
}

finds "an include that leads up" \
    '"target/platform.h" leads up: base does not use target' \
    debugger/base/nearest.c '#include "target/platform.h"'
finds "an include of a neighbour" \
    '"target/target.h" leads up: job does not use target' \
    debugger/job/job.h ' # include "target/target.h"'
finds "a program that uses another" \
    '"mqdump/cli/settings.h" leads up: watch does not use mqdump/cli' \
    watch/queues.c '#include "mqdump/cli/settings.h"'
finds "what tests use" \
    '"tests/kit/harness.h" is in no room of the table of doc/ARCHITECTURE' \
    mqcheck/mqcheck.c '#include "tests/kit/harness.h"'
finds "MPICH's structures in the debugger" \
    '"mpich_dll_defs.h" does not name its room' \
    debugger/dll/walk.c '#include "mpich_dll_defs.h"'
finds "a folder that is not in the table" \
    'the folder attic is not in the table of doc/ARCHITECTURE' \
    debugger/attic/box.c '#include "base/error.h"'
finds "an include that names no room" \
    '"walk.h" does not name its room' debugger/dll/dll.h '#include "walk.h"'
finds "a way through the parent folder" \
    '"../base/error.h" is in no room of the table of doc/ARCHITECTURE' \
    debugger/dll/dll.h '#include "../base/error.h"'
finds "files that include each other" \
    'files include each other: base/error -> base/strbuf -> base/error' \
    debugger/base/error.h '#include "base/strbuf.h"'

tests_end
