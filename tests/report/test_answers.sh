# test_answers.sh - what mqdump answers in all formats, and its exit status
# tier: simulated
#
# What mqdump answers, in all formats, and its exit status.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
job=tests/data/golden/answers.mqdigest
COLUMNS=80
export COLUMNS

# run STATUS NAME ARGUMENT...: leaves the output in $scratch/out and err.
run() {
    wanted_status=$1 name=$2
    shift 2
    timeout 600 "$mqdump" "$@" > "$scratch/out" 2> "$scratch/err"
    check_equal "$name: exit status" $? "$wanted_status"
}

shows() { check_contains "$name: stdout" "$(cat "$scratch/out")" "$1"; }

says() { check_contains "$name: stderr" "$(cat "$scratch/err")" "$1"; }

lacks() {
    check_equal "$name: '$1' is not shown" "$(grep -c -- "$1" "$scratch/out")" 0
}

# digest LINES...: a job of these lines after the first three, in a file.
digest() {
    {
        printf '%s\n' 'mqdigest 1' 'name here' 'image a.out'
        printf '%s\n' "$@"
        echo end
    } > "$scratch/job.mqdigest"
}

## Golden files

for format in text json csv; do
    run 1 "format $format" --format $format "$job"
    check_same "format $format" "$scratch/out" tests/data/golden/answers.$format
done

## Pictures

run 1 'a picture for browsers' --format svg "$job"
cp "$scratch/out" "$scratch/job.svg"
shows '<title>rank 0 in MPI_Recv: deadlocked; near miss or mismatch</title>'
shows '<title>rank 1 in MPI_Recv: deadlocked</title>'
shows '<title>rank 3 in MPI_Recv: stuck behind others; near miss or mismatch</title>'
shows '<title>rank 4 in no MPI function: others wait for it</title>'
shows '<title>0 receives from 1: tag 7, 1024 bytes, on halo exchange</title>'
shows '<title>4 receives from any: any tag, 40 bytes, on MPI_COMM_WORLD</title>'
check_equal 'three edges stand out' "$(grep -c 'receive stuck" d=' \
    "$scratch/out")" 4
if command -v rsvg-convert > "$scratch/which"; then
    rsvg-convert "$scratch/job.svg" -o "$scratch/job.png" 2> "$scratch/err"
    check_equal 'the SVG can be drawn' $? 0
else
    skip 'the SVG can be drawn' 'there is no rsvg-convert (librsvg2-bin)'
fi

# A ring of 512 ranks and a chain behind it; the rest computes.
awk 'BEGIN {
    print "mqdigest 1\nname here\nimage a.out\ngroup 0 0-1023"
    for (r = 0; r < 1024; r++) {
        print "process " r (r < 520 ? " MPI_Recv" : " -")
        print "comm 0x7f" sprintf("%06x", r) " " r " 1024 0 MPI_COMM_WORLD"
        peer = r < 512 ? (r + 1) % 512 : r - 1
        print "receive pending " peer "/" peer " 7 40 0x10"
    }
    print "end" }' > "$scratch/large.mqdigest"
run 1 'a large picture' --format svg "$scratch/large.mqdigest"
shows '[0-510] receives from [0-510]'
shows '>[520-1023]</text>'
check_equal 'of few nodes' $(($(grep -c '<rect class="node' "$scratch/out") < 20)) 1
run 1 'a large table' --still "$scratch/large.mqdigest"
shows "Deadlock: ranks 0-511 $each_other in MPI_Recv; ranks 512, 513, 514,"
shows 'certain: their calls did not return, as --still asserts'
shows '  ranks 0-510 in MPI_Recv wait for the rank after them (receive of tag 7 on'
shows '... and 509 more ranks; --all shows them'
check_equal 'in at most 40 lines' \
    "$(wc -l < "$scratch/out" | awk '{ print $1 <= 40 }')" 1
run 1 'all of it' --all "$scratch/large.mqdigest"
lacks '--all'
check_equal 'a block for each rank but those that tell the same' \
    "$(grep -c '^rank [0-9]* in .*: a.out' "$scratch/out")" 1022
shows 'ranks [510, 512] in MPI_Recv: a.out'

## Filters

run 1 'one queue' --queue unexpected "$job"
shows 'unexpected  4/4'
lacks '^    receive'
lacks '^    send'
shows 'Possible deadlock: ranks 0, 1, 2'
run 1 'two queues' --queue send,receive --format csv "$job"
lacks ',unexpected,'
run 2 'no such queue' --queue sent "$job"
says "'sent' is not a queue; the queues are receive, unexpected and send"
run 1 'a communicator' --comm 'halo exchange' "$job"
shows 'halo exchange, rank 1 of 3'
lacks '  MPI_COMM_WORLD'
run 1 'a communicator by its id' --comm 0x563b19720100 --format csv "$job"
check_equal 'one line and the titles' "$(wc -l < "$scratch/out" | tr -d ' ')" 2
run 1 'a tag' --tag 7 --format csv "$job"
check_equal 'three lines and the titles' "$(wc -l < "$scratch/out" | tr -d ' ')" 4
run 1 'any tag' --tag any --format csv "$job"
check_equal 'one line and the titles' "$(wc -l < "$scratch/out" | tr -d ' ')" 2
run 1 'some ranks' --only-ranks 0-1,4 "$job"
shows 'rank 4 in no MPI call'
lacks '^rank 2 in'
lacks '^rank 3 in'
run 1 'some ranks of the only world' --only-ranks 0:2-3,0:4 "$job"
shows 'rank 4 in no MPI call'
lacks '^rank 1 in'
run 1 'some ranks in JSON' --only-ranks 3 --format json "$job"
check_equal 'one process' "$(grep -c '"waits_for"' "$scratch/out")" 1
for wrong in '' a 3-1 1- 1,,2 -1 1-2-3 99999999999 1: :1 0:1:2 1-0:2; do
    run 2 "ranks '$wrong'" --only-ranks "$wrong" "$job"
    says "'$wrong' is not a list of ranks such as 0-3,7"
done
run 1 'without internal communicators' --queues "$job"
check_equal 'only those that hold something' \
    "$(grep -c '^  the collective part of MPI_COMM_WORLD' "$scratch/out")" 2
run 1 'with them' --internal "$job"
check_equal 'in each block' \
    "$(grep -c '^  the collective part of MPI_COMM_WORLD' "$scratch/out")" 7
run 2 'no such format' --format xml "$job"
says "there is no format 'xml'; the formats are text, json, csv, svg and html"

## Colour and width

run 1 'into a file' "$job"
check_equal 'no colour' "$(grep -c "$(printf '\033')" "$scratch/out")" 0
run 1 'into a file, with colour all the same' --color=always "$job"
shows "$(printf '\033[33;1mPossible deadlock: ranks')"
run 2 'colour at no known time' --color sometimes "$job"
says '--color sometimes: it takes auto, always or never'
if command -v script > "$scratch/which"; then
    TERM=xterm script -qec "$mqdump $job" /dev/null > "$scratch/coloured" 2>&1
    check_contains 'colour on a terminal' "$(cat "$scratch/coloured")" \
        "$(printf '\033[33;1mPossible deadlock: ranks')"
    NO_COLOR=1 TERM=xterm script -qec "$mqdump $job" /dev/null \
        > "$scratch/coloured" 2>&1
    check_equal 'but not with NO_COLOR' \
        "$(grep -c "$(printf '\033')" "$scratch/coloured")" 0
    TERM=xterm script -qec "$mqdump --color never $job" /dev/null \
        > "$scratch/coloured" 2>&1
    check_equal 'nor when it is never wanted' \
        "$(grep -c "$(printf '\033')" "$scratch/coloured")" 0
else
    skip 'colour on a terminal' 'there is no script (bsdutils)'
fi
for width in 40 60 132; do
    COLUMNS=$width
    run 1 "$width columns" "$job"
    check_equal "no line of words is wider than $width columns" \
        "$(grep -v '^    ' "$scratch/out" | awk -v w=$width 'length($0) > w')" ''
done
COLUMNS=80

## Exit status

digest 'group 0 0' 'process 0 -' 'comm 0x7f0000 0 1 0 MPI_COMM_WORLD'
run 0 'nothing found' "$scratch/job.mqdigest"
shows 'Nothing is stuck: no rank waits for another'
digest 'group 0 0' 'process 0 ?' 'comm 0x7f0000 0 1 0 MPI_COMM_WORLD' \
    'receive pending 0/0 7 8 0x10'
run 1 'a possible deadlock' "$scratch/job.mqdigest"
shows 'Possible deadlock: rank 0 waits for itself'
shows 'not certain: rank 0 was sampled once; '
run 1 'the same in JSON' --format json "$scratch/job.mqdigest"
shows '"verdict": "possible-deadlock"'
shows '"certainty": "possible"'
digest 'group 0 0' 'process 0 -' 'comm 0x7f0000 0 1 0 MPI_COMM_WORLD' \
    'partial receive' 'remark error receive It loops'
run 2 'nothing found, but not all could be read' "$scratch/job.mqdigest"
shows 'Not known: rank 0 could not be read completely; no other is seen to be stuck'
shows 'unreadable: rank 0, MPI_COMM_WORLD, receive queue: It loops'
digest 'group 0 0' 'process 0 MPI_Recv' 'comm 0x7f0000 0 1 0 MPI_COMM_WORLD' \
    'receive pending 0/0 7 8 0x10'
run 0 'raw lines are no answer' --raw "$scratch/job.mqdigest"
timeout 600 "$mqdump" "$job" > /dev/full 2> "$scratch/err"
check_equal 'a full disk: exit status' $? 2
check_contains 'a full disk' "$(cat "$scratch/err")" \
    "$no_room"

## Two recordings

run 0 'a job has not moved' --diff "$job" "$job"
shows '11 of 11 ranks did not move. 16 operations stayed, 0 came, 0 went'
sed -e 's/^process 4 -/process 4 MPI_Send/' -e '/^receive.* 7 1024 .*201$/d' \
    -e 's/^process 10 /process 11 /' "$job" > "$scratch/later.mqdigest"
run 0 'a job has moved' --diff "$job" "$scratch/later.mqdigest"
shows '8 of 10 ranks did not move: ranks 0, 2, 3, 5, 6, 7, 8, 9. 14 operations'
shows 'rank 1: still MPI_Recv'
shows '  went: receive of tag 7 from rank 2 on halo exchange (1024 bytes, pending)'
shows 'rank 4: was in no MPI call, is MPI_Send'
shows 'note: rank 10 only in the old recording'
shows 'note: rank 11 only in the new recording'
run 0 'the same in JSON' --diff "$job" "$scratch/later.mqdigest" --format json
shows '"went": 1'
shows '"moved": true'
run 2 'a recording is not there' --diff "$job" "$scratch/no-such"
says 'no-such'
run 2 'comparisons are no pictures' --diff "$job" "$job" --format svg
says 'a comparison is written as text or json only'

## Genuine recordings

run 1 'the ring' --still "$genuine"/ring.*.mqsnap
shows "Deadlock: ranks 0, 1, 2 $each_other in MPI_Recv; rank 3 waits"
shows 'certain: their calls did not return, as --still asserts'
shows 'near miss: rank 3 waits for tag 17 from rank 0 on MPI_COMM_WORLD; a message'
run 1 'the ring, seen once' "$genuine"/ring.*.mqsnap
shows "Possible deadlock: ranks 0, 1, 2 $each_other in MPI_Recv"
shows 'not certain: ranks 0, 1, 2, 3 were sampled once; '
run 1 'the ring without two ranks' --still "$genuine"/ring.[0-2].mqsnap
shows 'Possible deadlock: ranks 0, 1, 2'
shows 'not certain: ranks 3, 4 were not given; give every rank of the job'
run 2 'the ring without one of it' "$genuine"/ring.[0-1].mqsnap
shows 'Not known: ranks 0, 1 wait for ranks 2, 3, 4, not given'
run 1 'all wait for what nobody sent' --still "$genuine"/pend-le64.*.mqsnap
shows "Deadlock: ranks 0, 1, 2, 3 $each_other in MPI_Recv"
shows 'rank 0 in MPI_Recv waits for rank 3 (receive of tag 9999 on'
run 2 'one rank of four' "$genuine/pend-be32.0.mqsnap"
for recording in ring pend-le64 pend-le32; do
    run 1 "$recording as text" "$genuine"/$recording.*.mqsnap
    cp "$scratch/out" "$scratch/direct"
    run 0 "$recording: a digest" --digest "$scratch/$recording.mqdigest" \
        "$genuine"/$recording.*.mqsnap
    run 1 "$recording from its digest" "$scratch/$recording.mqdigest"
    check_same "$recording: the same report" "$scratch/out" \
        "$scratch/direct"
    "$mqdump" --raw "$scratch/$recording.mqdigest" > "$scratch/out"
    cat "$genuine"/$recording.*.expect > "$scratch/direct"
    check_same "$recording: the same lines" "$scratch/out" \
        "$scratch/direct"
done

tests_end
