# test_remarks.sh - messages on unmatched filters and bad arguments
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
    $mqdump "$@" 2>&1 > "$scratch/out" | grep -v 'queue is damaged'
}

for words in '--tag 987654' '--only-ranks 987654' '--comm no' '--tag foo' \
    '--tag 7x' "$digest" '--verbose --rank 0 --jobs 2'; do
    # shellcheck disable=SC2086 # these are several words
    check_golden "$words" "$(said $words $digest)"
done
for words in '--tag 7' '' '--rank 0 --jobs 2'; do
    # shellcheck disable=SC2086 # these are several words
    check_equal "nothing: $words" "$(said $words $digest)" ""
done

# What another program says on several lines.
mkdir "$scratch/bin"
cat > "$scratch/bin/squeue" << 'END'
#!/bin/sh
echo 'squeue: error: no socket
squeue: fatal: no cluster' >&2
exit 1
END
chmod +x "$scratch/bin/squeue"
check_golden "squeue fails" "$(PATH=$scratch/bin:$PATH said --slurm 7)"

# A group that many share is short in a digest, and long in lines for programs.
awk 'BEGIN {
    print "mqdigest 1\nname n\nimage i\ngroup 0 0-999999"
    for (i = 0; i < 5; i++)
        print "process " i " -\ncomm 0x1 " i " 1000000 0 c"
    print "end"
}' > "$scratch/groups"
check_golden "long groups" "$(said -v --raw "$scratch/groups" | grep -e --raw)"
check_equal "long groups: written" \
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
check_golden "a pipe" "$(said "$scratch/pipe")"

# Much more than a pipe holds.
awk 'BEGIN {
    print "mqdigest 1\nname n\nimage i\nprocess 0 -"
    print "comm 0x1 0 1 ? c"
    for (i = 0; i < 20000; i++)
        print "receive pending 0/0 " i " 4 0x10"
    print "end"
}' > "$scratch/large"
$mqdump --raw "$scratch/large" 2> "$scratch/err" | head -n 1 > "$scratch/out"
check_equal "a closed pipe" "$(cat "$scratch/err")" ""
golden "a full disk" sh -c "$mqdump --raw $scratch/large > /dev/full"

tests_end
