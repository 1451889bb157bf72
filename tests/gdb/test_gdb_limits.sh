# test_gdb_limits.sh - a gdb that works or prints without end is given up
# tier: live
#
# A gdb that works without end, or prints without end, is given up.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

# fake_gdb LINE...: a program that is started in the place of gdb.
fake_gdb() {
    { echo '#!/bin/sh'; printf '%s\n' "$@"; } > "$scratch/gdb"
    chmod +x "$scratch/gdb"
}

fake_gdb 'while :; do :; done'
$mqdump --gdb "$scratch/gdb" --gdb-limit 1 --pid $$ > "$scratch/out" \
    2> "$scratch/err"
check_equal "a gdb that works without end: exit status" $? 2
check_contains "a gdb that works without end" "$(cat "$scratch/err")" \
    "gdb has worked on one request for 1 seconds: if that is not enough, \
allow it more with --gdb-limit SECONDS"

fake_gdb "head -c 100000000 /dev/zero; echo \$? > $scratch/printed; exit 1"
$mqdump --gdb "$scratch/gdb" --pid $$ > "$scratch/out" 2> "$scratch/err"
check_equal "a gdb that prints without end: exit status" $? 2
check_contains "a gdb that prints without end" "$(cat "$scratch/err")" \
    "gdb exited during a request"
check_equal "it could not print all of it" "$(cat "$scratch/printed")" 1

tests_end
