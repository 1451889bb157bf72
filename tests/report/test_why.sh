# test_why.sh - --why: evidence and missing evidence
# tier: simulated
#
# The explanations of --why and the same in JSON, by what programs read.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
requires python3

# job LINES...: two ranks, of the lines after each "process".
job() {
    {
        printf '%s\n' 'mqdigest 5' 'name node' 'image solver' 'group 0 0-1'
        printf '%s\n' "$@"
        echo end
    } > "$scratch/job.mqdigest"
}

# rank RANK PEER LINE...: a rank that waits for a receive from its peer.
rank() {
    own=$1 peer=$2
    shift 2
    printf '%s\n' "process $own MPI_Recv" "$@" 'awaits all 1' \
        "comm 0x7f1000 $own 2 0 MPI_COMM_WORLD" \
        "receive pending $peer/$peer 7 40 0x20 awaited"
}

# reasons: those that the verdict lacks, with their ranks; and of both ranks
# their fate, how they are known to stay, and the values of their clauses.
reasons() {
    $mqdump --format json "$scratch/job.mqdigest" > "$scratch/json" \
        2> "$scratch/err"
    python3 - "$scratch/json" << 'END'
import json, sys
it = json.load(open(sys.argv[1]))
print(it["verdict"], *("%s:%s" % (one["reason"], one["ranks"])
                       for one in it["missing"]))
for one in it["processes"]:
    known = one["evidence"]
    print(known["fate"], known["stays"], known["free_because"],
          *("%s/%s/%s" % (clause["value"], clause["source"], clause["peer"])
            for clause in known["clauses"]))
END
}

# explained STATUS NAME RANKS: what --why says has so many explanations.
explained() {
    COLUMNS=60 $mqdump --why "$scratch/job.mqdigest" > "$scratch/out" \
        2> "$scratch/err"
    check_equal "$2: exit status" $? "$1"
    check_equal "$2: explanations" \
        "$(grep -c '^ranks\? [0-9, ]*: ' "$scratch/out")" "$3"
    check_equal "$2: width" \
        "$(awk 'length > 60' "$scratch/out")" ''
}

## Proved

# shellcheck disable=SC2046 # a line each
IFS='
'
job $(rank 0 1 'looks 3 0.6 still') $(rank 1 0 'looks 3 0.6 still')
check_equal 'a proved deadlock' "$(reasons)" \
    'deadlock
stuck counted None missing/queue/stuck
stuck counted None missing/queue/stuck'
explained 1 'a proved deadlock' 2

## Reasons, alone and together

for case in 'looks 1 0 unknown|sampled-once|unknown' \
    'looks 3 0.6 equal|returns-not-counted|samples-alike'; do
    looks=${case%%|*} reason=${case#*|}
    job $(rank 0 1 'looks 3 0.6 still') $(rank 1 0 "$looks")
    check_equal "$looks" "$(reasons)" \
        "possible-deadlock ${reason%|*}:1
possibly-stuck counted None missing/queue/possibly-stuck
possibly-stuck ${reason#*|} None missing/queue/possibly-stuck"
    explained 1 "$looks" 2
done

job $(rank 0 1 'looks 3 0.6 still' 'strangers 1') \
    $(rank 1 0 'looks 1 0 unknown')
check_equal 'two reasons' "$(reasons | sed -n 1p)" \
    'possible-deadlock sampled-once:1 threads-may-call:0'

# What releases nobody is not named: rank 0 is stuck whatever it does besides.
job $(rank 0 0 'looks 3 0.6 still') \
    $(rank 1 0 'looks 1 0 unknown')
check_equal 'a needless reason' "$(reasons | sed -n 1p)" deadlock

job $(rank 0 1 'looks 3 0.6 still')
check_equal 'not given' "$(reasons | sed -n 1p)" \
    'unknown rank-not-given:1'
explained 2 'not given' 1

## Free

job $(rank 0 1 'looks 3 0.6 still') 'process 1 -' 'looks 3 0.6 moved' \
    'comm 0x7f1000 1 2 0 MPI_COMM_WORLD'
check_equal 'who is free' "$(reasons)" \
    'held-up
free counted None missing/queue/free
free moved runs'
explained 0 'who is free' 2

## Open

for rank in 0 1; do
    printf '%s\n' "process $rank -" 'looks 3 0.6 moved' 'thread - 0 1' \
        'thread MPI_Recv 0 0' "comm 0x7f1000 $rank 2 0 MPI_COMM_WORLD"
done > "$scratch/listeners"
job 'frame 0 main 0 a.c 7 % -' $(cat "$scratch/listeners")
check_equal 'main threads' \
    "$(reasons | sed -n 1p)" 'unknown thread-awaited:0-1'
job $(rank 0 1 'looks 3 0.6 still') 'process 1 -' 'looks 3 0.6 moved' \
    'comm 0x7f1000 1 2 0 MPI_COMM_WORLD'

## Chosen ranks

$mqdump --why 1 "$scratch/job.mqdigest" > "$scratch/out" 2> "$scratch/err"
check_equal 'one rank only' "$(grep -o '^rank [0-9]*: ' "$scratch/out")" \
    'rank 1: '
$mqdump --why x "$scratch/job.mqdigest" > "$scratch/out" 2> "$scratch/err"
check_equal '--why x' $? 2

tests_end
