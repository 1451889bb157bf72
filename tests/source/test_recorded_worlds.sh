# test_recorded_worlds.sh - recordings of several worlds
# tier: simulated
#
# A folder of recordings of several worlds is one job.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mkdir "$scratch/two" "$scratch/one"
for name in rank-00000 world-00001-rank-00000 world-00007-rank-00000; do
    "$BUILD/tests/kit/scenario" le64 > "$scratch/two/$name.mqsnap"
done
"$BUILD/mqdump" "$scratch/two" > "$scratch/shown" 2> "$scratch/said"
check_equal "worlds" \
    "$(sed -n 's/^note: \(world [0-9] is [^,]*\),.*/\1/p' "$scratch/shown" |
       paste -sd ';' -)" \
    "world 0 is world-00000;world 1 is world-00001;world 2 is world-00007"
check_equal "ranks" \
    "$(grep -c 'is claimed by' "$scratch/said")" 0
check_equal "worlds of ranks" \
    "$(sed -n 's/^not known: ranks \(.*\) were not given;.*/\1/p' \
        "$scratch/shown")" \
    "0:0-1, 0:3, 1:0-1, 1:3, 2:0-1, 2:3"

# A file that is named alone is of the only world.
"$BUILD/mqdump" "$scratch/two/world-00007-rank-00000.mqsnap" \
    > "$scratch/shown" 2>&1
check_equal "one of them" "$(grep -c 'world [0-9]' "$scratch/shown")" 0

# Names that only look so.
for name in world-00001 world-x-rank-00000 world-00001-rank-; do
    "$BUILD/tests/kit/scenario" le64 > "$scratch/one/$name.mqsnap"
    "$BUILD/mqdump" "$scratch/one" > "$scratch/shown" 2>&1
    check_equal "'$name'" "$(grep -c 'world [0-9]' "$scratch/shown")" 0
    rm "$scratch/one/$name.mqsnap"
done

tests_end
