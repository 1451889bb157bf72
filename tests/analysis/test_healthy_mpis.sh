# test_healthy_mpis.sh - no false alarm for healthy programs, installed MPIs
# tier: live
#
# Programs that go on, on the MPIs that are here, with nothing prepared and
# under libmqwatch: none hangs for certain, and one may seem to in at most 2 of
# 100 looks.
#
# LOOKS says how many looks there are in all; of a few, one may be that.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

wanted=${LOOKS:-20}
ranks=3

requires gdb python3 mpi

for mpi in $(mpis); do
    "mpicc.$mpi" -w -O2 -g -pthread -o "$scratch/hangs.$mpi" \
        tests/programs/hangs/hangs.c &&
        "mpicc.$mpi" -w -O2 -g -o "$scratch/programs.$mpi" \
            tests/programs/faults/programs.c
done > "$scratch/said" 2>&1 || fail "they are compiled" < "$scratch/said"

# Every program with what is known of it: PROGRAM ARGUMENT MPI KNOWLEDGE.
for program in "programs halo" "hangs ping_pong" "programs grid" \
    "hangs mprobes" "programs workers" "hangs reductions" "programs pipeline" \
    "hangs workers" "programs mix" "hangs busy_thread" "hangs shift" \
    "hangs computing" "hangs barriers" "hangs counting"
do
    for mpi in $(mpis); do
        for knowledge in unprepared watched; do
            echo "$program $mpi $knowledge"
        done
    done
done > "$scratch/all"

# As many as there are looks, from all over the table: 11 has no common factor
# with its length.
awk -v wanted="$wanted" '{ line[NR - 1] = $0 }
    END { n = wanted < NR ? wanted : NR
          for (i = 0; i < n; i++) print line[i * 11 % NR] }' \
    "$scratch/all" > "$scratch/table"

are_there() {
    [ "$(cat "$scratch"/ready.? 2> /dev/null | wc -l)" -eq "$ranks" ]
}

# start FILE ARGUMENT...: with what is preloaded for $knowledge.
start() {
    library=
    [ $knowledge != watched ] ||
        library=$(watch_library "$mpi")
    rm -f "$scratch"/ready.*
    start_mpi "$mpi" "$ranks" env LD_PRELOAD="$library" "$@" "$scratch/ready"
    wait_until are_there
}

# What is wrong with a report: how it claims that this job hangs.
accuses() {
    python3 -c '
import json, sys
report = json.load(sys.stdin)
if report["verdict"] not in ("none", "held-up", "unknown", "possible-deadlock"):
    print(report["summary"])
for one in report["findings"]:
    if one["certainty"] == "certain" and one["kind"] in (
            "deadlock", "stuck", "collective-mismatch"):
        print(one["text"])
' < "$scratch/report"
}

possible=0 looks=0
programs=$(wc -l < "$scratch/table")
each=$(((wanted + programs - 1) / programs))
while read -r file program mpi knowledge; do
    case $file in
    programs) set -- "$scratch/$file.$mpi" "$program" 0 ;;
    *) set -- "$scratch/$file.$mpi" "$program" ;;
    esac
    if ! start "$@"; then
        fail "$mpi $program starts" < "$scratch/starter"
        stop_mpis
        continue
    fi
    for number in $(seq "$each"); do
        timeout 300 $mqdump --format json --job "$starter" \
            > "$scratch/report" 2> "$scratch/err"
        check_equal "$mpi $program, $knowledge: look $number" "$(accuses)" ""
        looks=$((looks + 1))
        ! grep -q '^  "verdict": "possible-deadlock"' "$scratch/report" ||
            possible=$((possible + 1))
    done
    stop_mpis
done < "$scratch/table"
check_equal "$possible possible, $looks looks" \
    $((possible * 50 <= looks || possible == 1)) 1
tests_end
