# test_report_schema.sh - JSON reports against the schema
# tier: simulated
#
# mqdump --format json writes what the schema says.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
job=tests/data/golden/answers.mqdigest

# follows NAME DIGEST OPTION...: the report of a job follows the schema.
follows() {
    name=$1 digest=$2
    shift 2
    "$mqdump" --format json "$@" "$digest" > "$scratch/report" \
        2> "$scratch/err"
    check_equal "$name" \
        "$(python3 tests/report/schema.py tests/report/report.schema.json \
           < "$scratch/report" 2>&1)" ''
}

requires python3

# The reasons of the table, of the schema and of the manual are the same.
sed -n 's/^MQ_REASON([a-z_]*, "\([^"]*\)".*/\1/p' \
    debugger/analysis/reasons.def | sort > "$scratch/reasons"
python3 -c 'import json, sys
print(*json.load(sys.stdin)["$defs"]["reason"]["enum"], sep="\n")' \
    < tests/report/report.schema.json | sort > "$scratch/shown"
check_same 'schema: reasons' "$scratch/shown" "$scratch/reasons"
sed -n '/^In JSON, the reasons are:/,/^\.El/s/^\.It Li //p' \
    doc/mqdump-analysis.7 | sed 's/ , /\n/g' | sort > "$scratch/shown"
check_same 'manual: reasons' "$scratch/shown" "$scratch/reasons"

# mqdump-json.7 has each member that the schema has.
python3 -c 'import json, re, sys
page = open("doc/mqdump-json.7").read()
def members(schema):
    for name, part in schema.items() if isinstance(schema, dict) else ():
        if name == "properties":
            yield from part
        yield from members(part)
    for part in schema if isinstance(schema, list) else ():
        yield from members(part)
for name in sorted(set(members(json.load(sys.stdin)))):
    if not re.search(r"\b%s\b" % name, page):
        print(name)' < tests/report/report.schema.json > "$scratch/shown"
check_equal 'manual: members' \
    "$(cat "$scratch/shown")" ''

follows everything "$job"
follows everything-still "$job" --still
cat > "$scratch/stacks.mqdigest" << 'END'
mqdigest 2
name here
image a.out
group 0 0-2
frame 0 PMPI_Recv 10 % 0 libmpi.so mpi
frame 1 exchange 20 ring.c 12 % -
frame 2 main 30 ring.c 40 % -
process 0 MPI_Recv
looks 3 0.6 still
thread MPI_Recv 0 3
argument source 1 sure
argument tag 7 doubtful
awaits all 0
comm 0x7f1000 0 3 0 MPI_COMM_WORLD
receive pending 1/1 7 40 0x20 awaited
process 1 -
thread - 2 1
comm 0x7f1000 1 3 0 MPI_COMM_WORLD
process 2 ?
presence gone
end
END
follows 'stacks and arguments' "$scratch/stacks.mqdigest"
check_golden 'arguments in words' "$("$mqdump" --queues \
    "$scratch/stacks.mqdigest" 2> "$scratch/err" | grep doubtful)"
# What is not known is written so: of a blocking send from the stack, how long
# it is and where its data are; and a twin is a part of its communicator.
cat > "$scratch/unknown.mqdigest" << 'END'
mqdigest 2
name here
image a.out
group 0 0-1
process 0 MPI_Send
awaits all 0
comm 0x7f1000 0 2 0 MPI_COMM_WORLD
send pending 1/1 7 -1 0x0 stack awaited
process 1 MPI_Bcast
comm 0x7f1000 1 2 0 MPI_COMM_WORLD
unexpected pending any 6 -1 0x0 stack
comm 0x7f2000 1 2 0 MPI_COMM_WORLD_collective
receive pending 0/0 2 40 0x20
receive pending 0/? 3 40 0x0
unexpected pending 0/0 4 5000 0x70 system nowhere
unexpected pending 0/0 5 5000 0xfafafafa system
end
END
follows unknown "$scratch/unknown.mqdigest"
check_equal 'unknown: null' \
    "$(grep -cE '"(bytes|buffer|global)": null' "$scratch/report")" 11
"$mqdump" --queues "$scratch/unknown.mqdigest" 2> "$scratch/err" |
    sed 's/   */ /g' > "$scratch/table"
"$mqdump" --format csv "$scratch/unknown.mqdigest" > "$scratch/csv" \
    2> "$scratch/err"
while IFS='|' read -r row cells; do
    check_contains 'unknown: table' "$(cat "$scratch/table")" "$row"
    check_contains 'unknown: CSV' "$(cat "$scratch/csv")" "$cells"
done << 'END'
send 1/1 7 ? pending ?|,send,pending,1,1,7,?,?,0,1,1,7,?,
receive 0/? 3 40 pending ?|,receive,pending,0,?,3,40,?,0,,,,,
unexpected 0/0 4 5000 pending ?|,unexpected,pending,0,0,4,5000,?,1,,,,,
unexpected 0/0 5 5000 pending ?|,unexpected,pending,0,0,5,5000,?,1,,,,,
unexpected ?/? 6 ? pending ?|,unexpected,pending,?,?,6,?,?,0,,,,,
END
check_golden unclaimed "$(grep '^unclaimed' "$scratch/table")"
"$mqdump" --format svg "$scratch/unknown.mqdigest" > "$scratch/out" \
    2> "$scratch/err"
check_golden 'unknown: picture' \
    "$(grep -o '<title>[^<]*</title>' "$scratch/out")"
check_equal "unknown: twins by name" \
    "$(grep -c _collective "$scratch/out")" 0
printf '%s\n' '{"format": 1, "verdict": "perhaps"}' > "$scratch/wrong"
check_contains 'a wrong report' \
    "$(python3 tests/report/schema.py tests/report/report.schema.json \
        < "$scratch/wrong")" \
    "report.verdict: 'perhaps' is none of"

# The same job in words: the cause on the first line, and stacks merged.
COLUMNS=100 "$mqdump" "$scratch/stacks.mqdigest" > "$scratch/out"
check_golden 'stacks in words' "$(cat "$scratch/out")"

tests_end
