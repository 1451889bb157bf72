# test_demo.sh - the recorded job of make demo
# tier: simulated
#
# The recorded job of make demo: what is made of it to the last blank, and
# that the lines which are named are those of the program.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

COLUMNS=80 "$BUILD/mqdump" examples/heat > "$scratch/shown" 2> "$scratch/said"
check_equal "explaining the demo: exit status" $? 1
check_equal "explaining the demo: nothing is missed" "$(cat "$scratch/said")" ''
check_golden_file "demo" "$scratch/shown" tests/data/golden/demo.text

# The lines of the report are those of the program.
for line in 33:MPI_Waitall 64:exchange 66:MPI_Allreduce; do
    check_contains "heat.c:${line%:*}" \
        "$(sed -n "${line%:*}p" examples/heat.c)" "${line#*:}("
done

"$BUILD/mqdump" --digest "$scratch/heat.mqdigest" examples/heat
"$BUILD/mqdump" "$scratch/heat.mqdigest" > "$scratch/digested"
check_same "digest" "$scratch/digested" "$scratch/shown"

tests_end
