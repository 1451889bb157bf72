# test_remarks.sh - what is asked for and is not there is said
# tier: simulated
#
# What is asked for and is not there is said: filters that match nothing, ranks
# that are given twice, a tag that is none, a pipe; and nobody is told that head
# has seen enough.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
digest=tests/data/golden/answers.mqdigest

# said ARGUMENT...: what is said on standard error, without what the digest
# itself gives reason to say.
said() {
    $mqdump "$@" 2>&1 > "$scratch/out" | grep -v 'The queue is damaged'
}

check_equal "a tag that nothing has" "$(said --tag 987654 $digest)" \
    "mqdump: no operation matches --queue, --comm and --tag"
check_equal "a rank that nothing has" "$(said --only-ranks 987654 $digest)" \
    "mqdump: no process has a rank of --only-ranks"
check_equal "a communicator that nothing has" "$(said --comm no $digest)" \
    "mqdump: no operation matches --queue, --comm and --tag"
check_equal "a tag that there is" "$(said --tag 7 $digest)" ""
check_equal "no filter" "$(said $digest)" ""

check_equal "a word that is no tag" "$(said --tag foo $digest)" \
    "mqdump: --tag foo: a tag is a number, or the word any"
check_equal "half a number" "$(said --tag 7x $digest)" \
    "mqdump: --tag 7x: a tag is a number, or the word any"

check_contains "ranks that are given twice" "$(said $digest $digest)" \
    "mqdump: rank 0 is claimed by "

check_equal "former names of options" "$(said --rank 0 --jobs 2 $digest)" ""
check_equal "former names of options: a note" \
    "$(said --verbose --rank 0 --jobs 2 $digest)" \
    "mqdump: --rank is called --ranks-are now
mqdump: --jobs is called --parallel now"

# What another program says on several lines.
mkdir "$scratch/bin"
cat > "$scratch/bin/squeue" << 'END'
#!/bin/sh
echo 'squeue: error: no socket
squeue: fatal: no cluster' >&2
exit 1
END
chmod +x "$scratch/bin/squeue"
check_equal "a program that fails" \
    "$(PATH=$scratch/bin:$PATH said --slurm 7)" "mqdump: squeue failed: \
squeue: error: no socket squeue: fatal: no cluster"

# A group that many share is short in a digest, and long in lines for programs.
awk 'BEGIN {
    print "mqdigest 1\nname n\nimage i\ngroup 0 0-999999"
    for (i = 0; i < 5; i++)
        print "process " i " -\ncomm 0x1 " i " 1000000 0 c"
    print "end"
}' > "$scratch/groups"
check_contains "groups that are long in full" "$(said -v --raw "$scratch/groups")" \
    "--raw writes each group of each process in full: 5000000 ranks"
check_equal "all of them are written" \
    "$(wc -c < "$scratch/out" | awk '{ print ($1 > 30000000) }')" 1

# What is said is trouble, which the exit status tells, too.
cat > "$scratch/idle" << END
mqdigest 1
name n
image i
process 0 -
end
END
$mqdump "$scratch/idle" > "$scratch/out" 2>&1
check_equal "nothing is said: exit status" $? 0
for words in "--tag 3 $scratch/idle" "$scratch/idle $scratch/idle"; do
    # shellcheck disable=SC2086 # these are several words
    $mqdump $words > "$scratch/out" 2> "$scratch/err"
    check_equal "something is said: exit status" $? 2
    check_equal "something is said" "$(grep -c '^mqdump: ' "$scratch/err")" 1
done

mkfifo "$scratch/pipe"
check_equal "a pipe" "$(said "$scratch/pipe")" "mqdump: $scratch/pipe is a \
pipe, which can be read only once: write what comes out of it to a file first"

# Much more than a pipe holds.
awk 'BEGIN {
    print "mqdigest 1\nname n\nimage i\nprocess 0 -"
    print "comm 0x1 0 1 ? c"
    for (i = 0; i < 20000; i++)
        print "receive pending 0/0 " i " 4 0x10"
    print "end"
}' > "$scratch/large"
$mqdump --raw "$scratch/large" 2> "$scratch/err" | head -n 1 > "$scratch/out"
check_equal "output that head has enough of" "$(cat "$scratch/err")" ""
$mqdump --raw "$scratch/large" > /dev/full 2> "$scratch/err"
check_equal "a full disk: exit status" $? 2
check_contains "a full disk" "$(cat "$scratch/err")" "cannot be written"

tests_end
