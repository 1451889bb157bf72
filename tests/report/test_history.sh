# test_history.sh - latest collective operations
# tier: simulated
#
# What libmqwatch tells of the latest collective operations of each
# communicator stands in JSON and, if nothing is to be shortened, in the text.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

cat > "$scratch/job.mqdigest" << 'END'
mqdigest 5
name here
image solver
group 0 0-1
process 0 MPI_Barrier
looks 2 9 still
comm 0x20 0 2 0 MPI_COMM_WORLD
agreed 0x77 118
past MPI_Bcast 117 1 0x5 0x0 0x0 8 32 1795589161623765505 ended
at step 68 solver.c 88 % -
past MPI_Barrier 118 -1 0x0 0x0 0x0 -1 -1 0
comm 0x30 0 2 0 halo
agreed 0x78 1
past MPI_Allreduce 1 -1 0x5 0x0 0x0 1 8 1795589161000001999 ended
at main 68 % 0 % -
process 1 -
comm 0x20 1 2 0 MPI_COMM_WORLD
agreed 0x77 117
end
END
shown() {
    COLUMNS=200 TZ=UTC "$BUILD/mqdump" "$@" "$scratch/job.mqdigest" \
        2> "$scratch/err"
}

# history ARGUMENT...: the operations of the report, under their titles.
history() { shown "$@" | grep '^rank .* so far:$\|^  [0-9]'; }

check_golden 'in text' "$(history --all)"
check_golden 'of one communicator' "$(history --all --comm halo)"
check_equal 'in short' "$(history)" ''

shown --format json > "$scratch/json"
check_schema 'JSON: schema' "$scratch/json"
requires python3
check_equal 'for programs' "$(python3 - "$scratch/json" << 'END'
import json, sys

for process in json.load(open(sys.argv[1]))["processes"]:
    for it in process.get("history", []):
        print(process["rank"], it["communicator"], it["id"], it["number"],
              it["call"], it["site"] and it["site"]["line"], it["root"],
              it["count"], it["bytes"], it["began"], it["ended"])
END
)" '0 MPI_COMM_WORLD 0x20 117 MPI_Bcast 88 1 8 32 1795589161623765 True
0 MPI_COMM_WORLD 0x20 118 MPI_Barrier None None None None None False
0 halo 0x30 1 MPI_Allreduce None None 1 8 1795589161000001 True'
tests_end
