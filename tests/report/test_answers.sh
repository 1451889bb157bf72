# test_answers.sh - all formats and exit statuses
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

# run NAME ARGUMENT...: leaves the output in $scratch/out and err.
run() {
    name=$1
    shift
    timeout 600 "$mqdump" "$@" > "$scratch/out" 2> "$scratch/err"
    status=$?
}

# all_of NAME ARGUMENT...: all that is said of a small job, or against a wrong
# word.
all_of() {
    name=$1
    shift
    golden "$name" "$mqdump" "$@"
}

# part_of NAME PATTERN: the lines that have it, of what was run last.
part_of() {
    check_golden "$1" "$(grep -- "$2" "$scratch/out")
exit $status"
}

# headline_of NAME ARGUMENT...: the first lines, up to the degree of certainty.
headline_of() {
    run "$@"
    check_golden "$name" "$(sed -n '1,/proof: \|certain: /p; /^near miss/,/^[a-z]/p' \
        "$scratch/out")
exit $status"
}

# blocks_of NAME ARGUMENT...: the first line, and the ranks that are shown.
blocks_of() {
    run "$@"
    check_golden "$name" "$(sed -n '1p; /^rank .*: /,$p' "$scratch/out")
exit $status"
}

# digest LINES...: a job of these lines after the first three, in a file.
digest() {
    {
        printf '%s\n' 'mqdigest 1' 'name here' 'image a.out'
        printf '%s\n' "$@"
        echo end
    } > "$scratch/job.mqdigest"
}

has_no_colour() {
    check_equal "$1" "$(grep -c "$(printf '\033')" "$2")" 0
}

## Formats

for format in text json csv; do
    run $format --format $format "$job"
    check_equal "$format: status" $status 1
    check_golden_file "$format" "$scratch/out" \
        tests/data/golden/answers.$format
done

## Pictures

titles='<title>[^<]*</title>\|<text[^>]*>[^<]*</text>'
run svg --format svg "$job"
cp "$scratch/out" "$scratch/job.svg"
check_golden svg "$(grep -o "$titles" "$scratch/out" |
    sed 's/<text[^>]*>/<text>/')
exit $status"
check_equal 'marked edges' \
    "$(grep -c 'receive stuck" d=' "$scratch/out")" 4
if has rsvg-convert; then
    rsvg-convert "$scratch/job.svg" -o "$scratch/job.png" 2> "$scratch/err"
    check_equal 'drawn SVG' $? 0
else
    skip 'drawn SVG' 'no rsvg-convert'
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
run large-svg --format svg "$scratch/large.mqdigest"
check_golden large-svg "$(grep -o '\[[-0-9]*\] receives from [^:]*' \
    "$scratch/out" | sort | uniq -c)
$(grep -o '>[][0-9-]*</text>' "$scratch/out")
exit $status"
check_equal 'large-svg: few nodes' \
    $(($(grep -c '<rect class="node' "$scratch/out") < 20)) 1
all_of large-table --still "$scratch/large.mqdigest"
check_equal 'large-table: at most 40 lines' \
    "$(wc -l < "$scratch/out" | awk '{ print $1 <= 40 }')" 1
run large-all --all "$scratch/large.mqdigest"
part_of large-all '^ranks .*a.out'
check_equal 'large-all: --all' \
    "$(grep -c -- --all "$scratch/out")" 0
check_equal 'large-all: blocks' \
    "$(grep -c '^rank [0-9]* in .*: a.out' "$scratch/out")" 1022

## Filters

blocks_of queue-unexpected --queue unexpected "$job"
all_of queues-csv --queue send,receive --format csv "$job"
all_of queue-wrong --queue sent "$job"
blocks_of comm --comm 'halo exchange' "$job"
all_of comm-id --comm 0x563b19720100 --format csv "$job"
all_of tag --tag 7 --format csv "$job"
all_of tag-any --tag any --format csv "$job"
blocks_of ranks --only-ranks 0-1,4 "$job"
blocks_of ranks-of-world --only-ranks 0:2-3,0:4 "$job"
run ranks-json --only-ranks 3 --format json "$job"
check_equal "$name: one process" "$(grep -c '"waits_for"' "$scratch/out")" 1
check_equal "$name: status" $status 1
for wrong in '' a 3-1 1- 1,,2 -1 1-2-3 99999999999 1: :1 0:1:2 1-0:2; do
    all_of "ranks '$wrong'" --only-ranks "$wrong" "$job"
done
run internal-hidden --queues "$job"
part_of internal-hidden '^  the collective part'
run internal-shown --internal "$job"
part_of internal-shown '^  the collective part'
all_of format-wrong --format xml "$job"

## Colour and width

run no-colour "$job"
has_no_colour no-colour "$scratch/out"
yellow=$(printf '\033[33;1m')
run colour-always --color=always "$job"
check_contains colour-always "$(head -n 1 "$scratch/out")" "$yellow"
all_of colour-wrong --color sometimes "$job"
if has script; then
    TERM=xterm script -qec "$mqdump $job" /dev/null > "$scratch/coloured" 2>&1
    check_contains 'colour, terminal' "$(cat "$scratch/coloured")" \
        "$yellow"
    NO_COLOR=1 TERM=xterm script -qec "$mqdump $job" /dev/null \
        > "$scratch/coloured" 2>&1
    has_no_colour 'colour, NO_COLOR' "$scratch/coloured"
    TERM=xterm script -qec "$mqdump --color never $job" /dev/null \
        > "$scratch/coloured" 2>&1
    has_no_colour 'colour, never' "$scratch/coloured"
else
    skip 'colour, terminal' 'no script (bsdutils)'
fi
for width in 40 60 132; do
    COLUMNS=$width
    run width "$job"
    check_equal "width $width" \
        "$(grep -v '^    ' "$scratch/out" | awk -v w=$width 'length($0) > w')" ''
    check_equal "width $width: status" $status 1
done
COLUMNS=80

## Exit status

digest 'group 0 0' 'process 0 -' 'comm 0x7f0000 0 1 0 MPI_COMM_WORLD'
all_of nothing-found "$scratch/job.mqdigest"
digest 'group 0 0' 'process 0 ?' 'comm 0x7f0000 0 1 0 MPI_COMM_WORLD' \
    'receive pending 0/0 7 8 0x10'
all_of possible-deadlock "$scratch/job.mqdigest"
run possible-deadlock-json --format json "$scratch/job.mqdigest"
part_of possible-deadlock-json '"verdict"\|"certainty"'
digest 'group 0 0' 'process 0 -' 'comm 0x7f0000 0 1 0 MPI_COMM_WORLD' \
    'partial receive' 'remark error receive Loop'
all_of partly-read "$scratch/job.mqdigest"
digest 'group 0 0' 'process 0 MPI_Recv' 'comm 0x7f0000 0 1 0 MPI_COMM_WORLD' \
    'receive pending 0/0 7 8 0x10'
all_of raw --raw "$scratch/job.mqdigest"
digest 'group 0 0' 'process 0 MPI_Barrier' \
    'comm 0x7f0000 0 1 0 MPI_COMM_WORLD' 'receive pending 0/0 -15 8 0x10' \
    'receive pending 0/0 7 8 0x20'
run librarys-own --queues "$scratch/job.mqdigest"
part_of librarys-own '^  '
run librarys-own-json --format json "$scratch/job.mqdigest"
part_of librarys-own-json '"tag"\|"internal"'
run librarys-own-csv --format csv "$scratch/job.mqdigest"
check_golden librarys-own-csv "$(sed 's/.*,\(-*[0-9]*,8,\).*,/\1/' "$scratch/out")"
run librarys-own-html --format html "$scratch/job.mqdigest"
check_golden librarys-own-html "$(grep -o "the MPI library's own" \
    "$scratch/out")"
golden full-disk sh -c "$mqdump $job > /dev/full"

## Two recordings

all_of not-moved --diff "$job" "$job"
sed -e 's/^process 4 -/process 4 MPI_Send/' -e '/^receive.* 7 1024 .*201$/d' \
    -e 's/^process 10 /process 11 /' "$job" > "$scratch/later.mqdigest"
all_of moved --diff "$job" "$scratch/later.mqdigest"
run moved-json --diff "$job" "$scratch/later.mqdigest" --format json
part_of moved-json '"went"\|"moved": true'
all_of diff-missing --diff "$job" "$scratch/no-such"
all_of diff-svg --diff "$job" "$job" --format svg

## Genuine recordings

headline_of ring-still --still "$genuine"/ring.*.mqsnap
headline_of ring-once "$genuine"/ring.*.mqsnap
headline_of ring-lacks-two --still "$genuine"/ring.[0-2].mqsnap
headline_of ring-lacks-three "$genuine"/ring.[0-1].mqsnap
headline_of pend-still --still "$genuine"/pend-le64.*.mqsnap
run pend-waits --still "$genuine"/pend-le64.*.mqsnap
part_of pend-waits '^  rank 0 in MPI_Recv waits'
headline_of one-of-four "$genuine/pend-be32.0.mqsnap"
for recording in ring pend-le64 pend-le32; do
    run text "$genuine"/$recording.*.mqsnap
    check_equal "$recording: status" $status 1
    cp "$scratch/out" "$scratch/direct"
    run digest --digest "$scratch/$recording.mqdigest" \
        "$genuine"/$recording.*.mqsnap
    check_equal "$recording: digest" $status 0
    run text "$scratch/$recording.mqdigest"
    check_equal "$recording: status of digest" $status 1
    check_same "$recording: text" "$scratch/out" "$scratch/direct"
    "$mqdump" --raw "$scratch/$recording.mqdigest" > "$scratch/out"
    cat "$genuine"/$recording.*.expect > "$scratch/direct"
    check_same "$recording: raw" "$scratch/out" "$scratch/direct"
done

tests_end
