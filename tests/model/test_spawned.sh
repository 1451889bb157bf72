# test_spawned.sh - ranks that others have spawned have a world of their own
# tier: live
#
# Ranks that others have spawned under Open MPI: they have a world of their own,
# and are never taken for those that have their numbers in another one.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires gdb mpicc.openmpi

mpicc.openmpi -g -o "$scratch/spawns" tests/programs/hangs/spawns.c
start_mpi openmpi 2 "$scratch/spawns" "$scratch/ready"

all_wait() {
    [ "$(cat "$scratch"/ready.child.[01] "$scratch"/ready.parent.[01] \
         2> /dev/null | wc -l)" -eq 4 ]
}
wait_or_end() { all_wait || has_ended "$starter"; }
wait_until wait_or_end
if ! all_wait; then
    skip "the rest" "no spawning"
    tests_end
fi
children=$(cat "$scratch"/ready.child.[01] | paste -sd, -)
parents=$(cat "$scratch"/ready.parent.[01] | paste -sd, -)

# told OPTION...: the verdict, the ranks of its causes, by their places in the
# job, and those behind them.  The children wait for each other, and the parents
# for children.
told() {
    $mqdump --format json "$@" 2> "$scratch/err" > "$scratch/shown"
    sed -n '/"findings"/q; s/.*"verdict": "\(.*\)",$/\1/p
        s/.*"\(ranks\|behind\)": \(\[[0-9].*\]\),$/\2/p' "$scratch/shown" |
        paste -sd: -
}
shows_all() { [ "$(told "$@")" = 'deadlock:[2, 3]:[0, 1]' ]; }

# Who has written its file may not be in its call yet.
for words in "--pid $children,$parents" "--job $starter" \
    "--job ${children%,*}"; do
    # shellcheck disable=SC2086 # these are two words
    if wait_until shows_all $words; then
        pass
    else
        fail "two worlds by $words" < "$scratch/shown"
    fi
done
check_equal "one world" "$(
    $mqdump --pid "$children" 2> /dev/null | grep -c 'world [01]')" 0

tests_end
