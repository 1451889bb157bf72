# test_mqdump.sh - options, output and exit status
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
is_silent err
for option in --dll --all --format --help --version; do
    shows "$option"
done
check_equal 'lines of --help' "$(awk 'END { print NR <= 45 }' "$scratch/out")" 1
check_equal 'examples of --help' \
    "$(sed '1,/^Examples/d' "$scratch/out" | grep -c '^  mqdump ')" 5
golden 'run --help' "$mqdump" run --help
golden 'doctor --help' "$mqdump" doctor --help
COLUMNS=60 run 0 --help-60 "$mqdump" -h
check_equal "$name: width" "$(awk 'length($0) > 60' "$scratch/out")" ''

run 0 --version "$mqdump" --version
check_golden --version \
    "$(sed 's/^mqdump 1.*/mqdump 1/; s/ by .*/ by/' "$scratch/out")"
run 0 -V "$mqdump" -V

for words in --row --json --dll 4711 4711,4712 'no-such'; do
    # shellcheck disable=SC2086 # these are several words
    golden "words: $words" "$mqdump" $words
done
golden 'words: --row FILE' "$mqdump" --row "$scratch/good.mqsnap"
golden 'words: --watch FILE' "$mqdump" --watch 1 "$scratch/good.mqsnap"
golden 'words: --until-stuck' "$mqdump" --until-stuck sh -n 2 ./solver
golden 'words: PROGRAM' "$mqdump" "$mqdump"
for file in 4711 --raw; do
    cp "$scratch/good.mqsnap" "$scratch/$file"
    run 2 "a file $file" \
        sh -c "m=\$(realpath $mqdump); cd $scratch && \"\$m\" -- $file"
    shows 'rank 0'
done
run 2 'a file 4711 alone' \
    sh -c "m=\$(realpath $mqdump); cd $scratch && \"\$m\" 4711"
shows 'rank 0'

## What is shown

golden table "$mqdump" "$scratch/good.mqsnap"

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
run 0 no-sends "$mqdump" -v --raw "$scratch/no-sends.mqsnap"
shows 'none send'
check_golden no-sends "$(grep 'sends' "$scratch/err")"

snapshot wild-name > "$scratch/wild-name.mqsnap"
run 0 wild-name-raw "$mqdump" --raw "$scratch/wild-name.mqsnap"
shows 'name="a "b"\x1b[2J\x0a\c"'
run 2 wild-name "$mqdump" "$scratch/wild-name.mqsnap"
shows 'a "b"\x1b[2J\x0a\c, rank 0 of 4'

## What it cost

run 0 --stats "$mqdump" --raw --stats "$scratch/good.mqsnap" \
    "$scratch/no-sends.mqsnap"
check_golden --stats \
    "$(errors | sed 's/[0-9][0-9]*\( [a-z]\)/N\1/g; s/N \(processes\)/2 \1/')"
check_equal '--stats: none on stdout' "$(grep -c fetches "$scratch/out")" 0

# total WORD: the number in front of it in the last line of --stats
total() { sed -n "s/^total .*[ :]\([0-9]*\) $1.*/\1/p" "$scratch/err"; }

## Damage

golden loop-raw "$mqdump" --raw "$scratch/loop.mqsnap"
golden loop "$mqdump" "$scratch/loop.mqsnap"

sed '$d' "$scratch/good.mqsnap" > "$scratch/cut.mqsnap"
run 2 damaged "$mqdump" --raw "$scratch/cut.mqsnap" \
    "$scratch/no-such" "$scratch/good.mqsnap"
check_golden damaged "$(errors)"
sed 's/ id=0x[0-9a-f]* / /' "$scratch/out" > "$scratch/raw"
check_same 'the good one' "$scratch/raw" "$scratch/wanted"
mkdir "$scratch/empty"
printf '\177FLE\0\0' > "$scratch/binary"
snapshot no-type > "$scratch/no-type.mqsnap"
grep -v '^\(type\|field\|symbol\|function\) ' "$scratch/good.mqsnap" \
    > "$scratch/plain.mqsnap"
for file in empty binary no-type.mqsnap plain.mqsnap; do
    golden "$file" "$mqdump" "$scratch/$file"
done
golden endless sh -c "ulimit -v 2000000; $mqdump /dev/zero"

## The DLL

run 2 '--dll' "$mqdump" --dll "$BUILD/libtvmpich.so" \
    "$scratch/good.mqsnap"
for dll in no.so binary; do
    golden "DLL $dll" "$mqdump" --dll "$scratch/$dll" "$scratch/good.mqsnap"
done

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
    run 2 'of a snapshot' "$mqdump" "$scratch/evil.mqsnap"
    check_equal 'of a snapshot: not loaded' "$(ls "$TRACE" 2> /dev/null)" ''
    run 2 'of the user' "$mqdump" --dll "$evil" \
        "$scratch/evil.mqsnap"
    check_equal 'of the user: loaded' "$(ls "$TRACE" 2> /dev/null)" "$TRACE"
else
    skip 'of a snapshot' 'no compiler'
fi

## The output

for options in --raw '' --help --version; do
    golden "full disk: $options" sh -c \
        "$mqdump $options $scratch/good.mqsnap > /dev/full"
    golden "no standard output: $options" sh -c \
        "$mqdump $options $scratch/good.mqsnap >&-"
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
check_equal "$name: stderr" "$(cat "$scratch/err")" ""

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

run 0 'cost of pend-le64' "$mqdump" --raw --stats \
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
check_equal 'non-blocking in MPI_Waitall, MPI_Ssend' \
    "$(cat "$scratch/counts")" '4 0'

for width in 60 80; do
    COLUMNS=$width run 2 "tables of $width columns" "$mqdump" \
        "$genuine"/*.mqsnap
    check_equal "$width columns: width" \
        "$(awk -v w=$width 'length($0) > w' "$scratch/out")" ''
done

tests_end
