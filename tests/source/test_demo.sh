# test_demo.sh - the simulated job of make demo
# tier: simulated
#
# The simulated job of make demo: what is in its files, and that they can be
# written.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

"$BUILD/tests/kit/demo" "$scratch" 2> "$scratch/err"
check_equal "writing the demo: exit status" $? 0
"$BUILD/mqdump" --raw "$scratch"/heat.[0-3].mqsnap > "$scratch/raw"
check_same "the demo's queues" "$scratch/raw" tests/data/golden/demo.raw

text=$("$BUILD/mqdump" "$scratch"/heat.[0-3].mqsnap)
check_equal "explaining the demo: exit status" $? 1
check_contains "the demo's mistake" "$text" \
    "near miss: rank 1 waits for tag 17 from 2 on ring"
check_contains "who waits for whom" "$text" \
    "ranks 0, 1, 2 wait for each other (rank 0 in MPI_Allreduce,
ranks 1, 2 in MPI_Waitall); rank 3 waits behind them"

text=$("$BUILD/tests/kit/demo" "$scratch/no" 2>&1)
check_equal "a folder that is not there: exit status" $? 2
check_contains "a folder that is not there" "$text" "$scratch/no/heat.0.mqsnap"
mkdir "$scratch/full"
ln -s /dev/full "$scratch/full/heat.0.mqsnap"
text=$("$BUILD/tests/kit/demo" "$scratch/full" 2>&1)
check_equal "a full disk: exit status" $? 2
check_contains "a full disk" "$text" "No space left"

tests_end
