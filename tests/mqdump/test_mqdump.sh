# test_mqdump.sh - options, what is shown, and the exit status
# tier: simulated
#
# mqdump from the outside: options, what it shows, and its exit status.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
COLUMNS=80
export COLUMNS

# run STATUS NAME COMMAND...: leaves the output in $scratch/out and err.
run() {
    wanted_status=$1 name=$2
    shift 2
    timeout 600 "$@" > "$scratch/out" 2> "$scratch/err"
    check_equal "$name: exit status" $? "$wanted_status"
}

# says PART: the last command's stderr holds it, and in a single line each.
says() { check_contains "$name: stderr" "$(cat "$scratch/err")" "$1"; }

shows() { check_contains "$name: stdout" "$(cat "$scratch/out")" "$1"; }

is_silent() { check_equal "$name: $1 is empty" "$(cat "$scratch/$1")" ""; }

snapshot() { "$BUILD/tests/kit/snapshot" "$@"; }

snapshot > "$scratch/good.mqsnap"
snapshot loop > "$scratch/loop.mqsnap"

## Options

run 0 --help "$mqdump" --help
shows 'usage: mqdump [OPTION]... '
for option in --dll --all --format --help --version; do
    shows "$option"
done
is_silent err
COLUMNS=60 run 0 'help for 60 columns' "$mqdump" -h
check_equal 'no line of the help is wider' \
    "$(awk 'length($0) > 60' "$scratch/out")" ''

check_equal 'the help fits a screen of 45 lines' \
    "$("$mqdump" --help | awk 'END { print NR <= 45 }')" 1
check_equal 'the help has five examples' \
    "$("$mqdump" --help | sed '1,/^Examples/d' | grep -c '^  mqdump ')" 5

run 0 --version "$mqdump" --version
check_contains 'one line with the version' "$(cat "$scratch/out")" 'mqdump 1'
check_equal 'and one with what it reads by' \
    "$(tail -n +2 "$scratch/out" | sed 's/ by .*/ by/')" \
    'Reads processes of this host by'
run 0 -V "$mqdump" -V

run 2 'a wrong option' "$mqdump" --row "$scratch/good.mqsnap"
says 'there is no option --row; do you mean --raw? --help lists them all'
is_silent out
run 2 'a format as an option' "$mqdump" --json
says 'there is no option --json; do you mean --format json?'
run 2 'a command without its option' "$mqdump" --until-stuck sh -n 2 ./solver
says 'a command to watch goes after --launch --'
run 2 'a file that is watched' "$mqdump" --watch 1 "$scratch/good.mqsnap"
says 'a command goes after --launch --'
run 2 'a process id alone' "$mqdump" 4711
says 'there is no file 4711; do you mean --pid 4711, or --job 4711'
run 2 'process ids alone' "$mqdump" 4711,4712
says 'do you mean --pid 4711,4712'
cp "$scratch/good.mqsnap" "$scratch/4711"
run 2 'a file that is called like a process' \
    sh -c "m=\$(realpath $mqdump); cd $scratch && \"\$m\" 4711"
run 2 'a program alone' "$mqdump" "$mqdump"
says "do you mean --launch -- $mqdump, or --core EXE $mqdump?"
run 2 'an option without its value' "$mqdump" --dll
says '--dll must be followed by FILE'
cp "$scratch/good.mqsnap" "$scratch/--raw"
run 2 'a file that is called like an option' \
    sh -c "m=\$(realpath $mqdump); cd $scratch && \"\$m\" -- --raw"
shows 'rank 0'

## What is shown

run 2 'a table' "$mqdump" "$scratch/good.mqsnap"
cat > "$scratch/wanted" << 'END'
Not known: rank 0 waits for ranks 1, 2, 3, not given
not known: ranks 1, 2, 3 were not given; give every rank of the job
near miss: rank 0 waits for tag 7 from any rank on MPI_COMM_WORLD; a message
  with tag 8 from rank 2 is in its unexpected queue
who waits for whom:
  rank 0 waits for any rank (receive of tag 7 on MPI_COMM_WORLD), or for rank 3
    (receive of any tag on MPI_COMM_WORLD)

rank 0: job
    queue       local/global  tag   bytes  status
  MPI_COMM_WORLD, rank 0 of 4
    receive     any             7      16  pending
    receive     3/3           any  160000  pending
    unexpected  2/2             8      16  pending
END
check_same 'a table' "$scratch/out" "$scratch/wanted"
is_silent err

run 0 'raw lines' "$mqdump" --raw "$scratch/good.mqsnap"
sed 's/ id=0x[0-9a-f]* / /' "$scratch/out" > "$scratch/raw"
cat > "$scratch/wanted" << 'END'
comm local_rank=0 size=4 name="MPI_COMM_WORLD"
group 0 1 2 3
receive status=pending desired_local=-1 desired_global=-1 tag=7 length=16 system=0 buffer=0x4000
receive status=pending desired_local=3 desired_global=3 tag=any length=160000 system=0 buffer=0x5000
unexpected status=pending desired_local=2 desired_global=2 tag=8 length=16 system=1 buffer=0x6000
END
check_same 'raw lines' "$scratch/raw" "$scratch/wanted"

snapshot no-sends > "$scratch/no-sends.mqsnap"
run 0 'a library that keeps no sends' "$mqdump" -v --raw \
    "$scratch/no-sends.mqsnap"
shows 'none send'
says 'Pending sends of job cannot be shown'

snapshot wild-name > "$scratch/wild-name.mqsnap"
run 0 'a name with control characters' "$mqdump" --raw \
    "$scratch/wild-name.mqsnap"
shows 'name="a "b"\x1b[2J\x0a\c"'
run 2 'the same in a table' "$mqdump" "$scratch/wild-name.mqsnap"
shows 'a "b"\x1b[2J\x0a\c, rank 0 of 4'

## What it cost

run 0 --stats "$mqdump" --raw --stats "$scratch/good.mqsnap" \
    "$scratch/no-sends.mqsnap"
check_equal 'a line for each process and one for all' \
    "$(grep -c 'fetches, .* failed, .* bytes, .* look-ups, .* allocations' \
        "$scratch/err")" 3
says 'total of 2 processes: '
check_equal 'stats are not on stdout' "$(grep -c fetches "$scratch/out")" 0

# total WORD: the number in front of it in the last line of --stats
total() { sed -n "s/^total .*[ :]\([0-9]*\) $1.*/\1/p" "$scratch/err"; }

## Damage

run 2 'a queue that loops' "$mqdump" --raw "$scratch/loop.mqsnap"
says 'rank 0'
says 'MPI_COMM_WORLD, receive queue: '
check_equal 'its operations are shown once' \
    "$(grep -c '^receive' "$scratch/out")" 2
run 2 'the same in a table' "$mqdump" "$scratch/loop.mqsnap"
shows '    error: '
says 'MPI_COMM_WORLD, receive queue: '

sed '$d' "$scratch/good.mqsnap" > "$scratch/cut.mqsnap"
run 2 'a bad snapshot among good ones' "$mqdump" --raw "$scratch/cut.mqsnap" \
    "$scratch/no-such" "$scratch/good.mqsnap"
says "cut.mqsnap:$(($(wc -l < "$scratch/cut.mqsnap") + 1)): "
says 'no-such: No such file or directory'
sed 's/ id=0x[0-9a-f]* / /' "$scratch/out" > "$scratch/raw"
check_same 'the good one is shown' "$scratch/raw" "$scratch/wanted"
mkdir "$scratch/empty"
run 2 'an empty folder' "$mqdump" "$scratch/empty"
says 'empty holds no snapshots, no digests'
printf '\177FLE\0\0' > "$scratch/binary"
run 2 'a file that is no snapshot' "$mqdump" "$scratch/binary"
says "binary:1: "
run 2 'a file without an end' sh -c "ulimit -v 2000000; $mqdump /dev/zero"
says '/dev/zero:1: byte 0x00 is not text'

snapshot no-type > "$scratch/no-type.mqsnap"
run 2 'a library without its types' "$mqdump" "$scratch/no-type.mqsnap"
says 'no-type.mqsnap: '
says 'MPID_QEL'
grep -v '^\(type\|field\|symbol\|function\) ' "$scratch/good.mqsnap" \
    > "$scratch/plain.mqsnap"
run 2 'a program that is not of MPI' "$mqdump" "$scratch/plain.mqsnap"
says ' does not recognise the MPI library in job '

## The DLL

run 2 'a DLL that is named' "$mqdump" --dll "$BUILD/libtvmpich.so" \
    "$scratch/good.mqsnap"
run 2 'a DLL that is not there' "$mqdump" --dll "$scratch/no.so" \
    "$scratch/good.mqsnap"
says "$scratch/no.so"
is_silent out
run 2 'a DLL that is none' "$mqdump" --dll "$scratch/binary" \
    "$scratch/good.mqsnap"
says "$scratch/binary"

mkdir -p "$scratch/bin" "$scratch/lib" "$scratch/alone/bin"
cp "$mqdump" "$scratch/bin/" && cp "$BUILD/libtvmpich.so" "$scratch/lib/"
run 2 'the DLL in ../lib' "$scratch/bin/mqdump" "$scratch/good.mqsnap"
cp "$mqdump" "$scratch/alone/bin/"
run 2 'no DLL anywhere' "$scratch/alone/bin/mqdump" "$scratch/good.mqsnap"
says '--dll'

cat > "$scratch/evil.c" << 'END'
#include <fcntl.h>
#include <stdlib.h>
__attribute__((__constructor__)) static void leave_a_trace(void)
{
    creat(getenv("TRACE"), 0600);
}
END
evil=$scratch/e.so
TRACE=$scratch/trace
export TRACE
# A DLL as it should be, but for what loading it does.
if ${CC:-gcc} -shared -fPIC -I. -o "$evil" "$scratch/evil.c" dll_mpich.c; then
    snapshot dll-name "$evil" > "$scratch/evil.mqsnap"
    run 2 'a DLL that a snapshot names' "$mqdump" "$scratch/evil.mqsnap"
    check_equal 'it is not loaded' "$(ls "$TRACE" 2> /dev/null)" ''
    run 2 'the same when the user names it' "$mqdump" --dll "$evil" \
        "$scratch/evil.mqsnap"
    check_equal 'then it is' "$(ls "$TRACE" 2> /dev/null)" "$TRACE"
else
    skip 'a DLL that a snapshot names' 'no compiler for a shared library'
fi

## The output

for options in --raw '' --help --version; do
    run 2 "a full disk, '$options'" sh -c \
        "$mqdump $options $scratch/good.mqsnap > /dev/full"
    says "$no_room"
    run 2 "no standard output, '$options'" sh -c \
        "$mqdump $options $scratch/good.mqsnap >&-"
    says 'the output cannot be written: '
done

# The reader is gone before the first byte is written.
mkfifo "$scratch/pipe"
(
    exec 4<> "$scratch/pipe" 5> "$scratch/pipe" 4>&-
    timeout 600 "$mqdump" --raw "$scratch/good.mqsnap" >&5 2> "$scratch/err"
    echo $? > "$scratch/status"
)
name='a closed pipe'
check_equal "$name: exit status" "$(cat "$scratch/status")" 0
check_equal "$name: nobody is told" "$(cat "$scratch/err")" ""

## Options by their old names

"$BUILD/tests/kit/snapshot" none > "$scratch/none.mqsnap"
for old in 'rank 0 ranks-are' 'jobs 2 parallel'; do
    set -- $old
    run 0 "--$1" "$mqdump" "--$1" "$2" --raw "$scratch/none.mqsnap"
    check_equal "--$1: nothing is said" "$(cat "$scratch/err")" ''
    run 0 "--$3" "$mqdump" "--$3" "$2" --raw "$scratch/none.mqsnap"
    check_equal "--$3: nothing is said" "$(cat "$scratch/err")" ''
done

## Genuine jobs

for file in "$genuine"/*.mqsnap; do
    run 0 "$file" "$mqdump" --raw "$file"
    check_same "$file" "$scratch/out" "${file%.mqsnap}.expect"
done
run 0 'all at once' "$mqdump" --raw "$genuine"/*.mqsnap
cat "$genuine"/*.expect > "$scratch/wanted"
check_same 'all at once' "$scratch/out" "$scratch/wanted"

run 0 'the cost of pend-le64 rank 0' "$mqdump" --raw --stats \
    "$genuine/pend-le64.0.mqsnap"
fetches=$(total fetches) bytes=$(total bytes)
echo "pend-le64 rank 0: $fetches fetches, $bytes bytes"
check_equal 'at most 64 fetches' $((fetches > 0 && fetches <= 64)) 1
check_equal 'at most 8 KiB' $((bytes > 0 && bytes <= 8192)) 1

# What a rank in MPI_Ssend lists may be that call's own.
for call in MPI_Waitall MPI_Ssend; do
    sed "s/^call .*/call $call/" "$genuine/pend-le64.0.mqsnap" \
        > "$scratch/sends.mqsnap"
    $mqdump --queues "$scratch/sends.mqsnap" 2> "$scratch/err" |
        grep -c 'Non-blocking send'
done | paste -sd ' ' > "$scratch/counts"
check_equal 'sends of MPI_Waitall and MPI_Ssend that are said to be non-blocking' \
    "$(cat "$scratch/counts")" '4 0'

for width in 60 80; do
    COLUMNS=$width run 2 "tables of $width columns" "$mqdump" \
        "$genuine"/*.mqsnap
    check_equal "no line is wider than $width columns" \
        "$(awk -v w=$width 'length($0) > w' "$scratch/out")" ''
done

tests_end
