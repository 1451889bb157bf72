# test_digest_file.sh - a digest is written whole or not at all
# tier: simulated
#
# A digest is written whole or not at all, and files that are nothing but holes
# are refused at once.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mqdump=$BUILD/mqdump
digest=$scratch/own/digest

mkdir "$scratch/own"
$mqdump --digest "$digest" tests/data/golden/answers.mqdigest 2> "$scratch/err"
cp "$digest" "$scratch/before"
check_equal "a digest is written" \
    "$($mqdump --raw "$digest" 2> "$scratch/err" | cksum)" \
    "$($mqdump --raw tests/data/golden/answers.mqdigest 2> "$scratch/err" |
        cksum)"
said=$(
    trap '' XFSZ
    ulimit -f 1
    exec $mqdump --digest "$digest" tests/data/golden/answers.mqdigest \
        tests/data/golden/answers.mqdigest tests/data/golden/answers.mqdigest \
        tests/data/golden/answers.mqdigest 2>&1
)
check_equal "no room for a digest: exit status" $? 2
check_contains "no room for a digest" "$said" \
    "cannot be written"
check_same "the digest that there was before" "$digest" "$scratch/before"
check_equal "nothing is left beside it" "$(ls "$scratch/own")" digest

# Sixty times less memory than the file seems to need; sanitizers need more.
truncate -s 2G "$scratch/holes"
printf 'mqdigest 1\n' | dd of="$scratch/holes" conv=notrunc 2> "$scratch/dd"
(ulimit -v 200000; exec $mqdump "$scratch/holes") 2> "$scratch/err"
check_equal "a digest of holes: exit status" $? 2
check_contains "a digest of holes" "$(cat "$scratch/err")" "zero byte"
sed '$d' "$genuine/ring.0.mqsnap" > "$scratch/head"
truncate -s 900M "$scratch/holes"
dd if="$scratch/head" of="$scratch/holes" conv=notrunc 2> "$scratch/dd"
(ulimit -v 200000; exec $mqdump "$scratch/holes") 2> "$scratch/err"
check_equal "a snapshot of holes: exit status" $? 2
check_contains "a snapshot of holes" "$(cat "$scratch/err")" "$scratch/holes:"

# What holds nothing is not a job of which nothing is stuck.
printf 'mqdigest 3\nend\n' > "$scratch/empty"
$mqdump "$scratch/empty" > "$scratch/out" 2> "$scratch/err"
check_equal "a digest of no process: exit status" $? 2
check_equal "a digest of no process" "$(cat "$scratch/err")" \
    "mqdump: there is nothing to show: what was given holds no process"

tests_end
