# test_digest_file.sh - digest files are complete or absent
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
check_equal "a digest" \
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
check_equal "no room: status" $? 2
check_golden "no room" "$said"
check_same "no room: old digest" "$digest" "$scratch/before"
check_equal "no room: files" "$(ls "$scratch/own")" digest

# Sixty times less memory than the file seems to need; sanitizers need more.
truncate -s 2G "$scratch/holes"
printf 'mqdigest 1\n' | dd of="$scratch/holes" conv=notrunc 2> "$scratch/dd"
(ulimit -v 200000; exec $mqdump "$scratch/holes") 2> "$scratch/err"
check_equal "digest of holes: status" $? 2
check_golden "digest of holes" "$(errors)"
sed '$d' "$genuine/ring.0.mqsnap" > "$scratch/head"
truncate -s 900M "$scratch/holes"
dd if="$scratch/head" of="$scratch/holes" conv=notrunc 2> "$scratch/dd"
(ulimit -v 200000; exec $mqdump "$scratch/holes") 2> "$scratch/err"
check_equal "snapshot of holes: status" $? 2
check_contains "snapshot of holes" "$(cat "$scratch/err")" "$scratch/holes:"

# What holds nothing is not a job of which nothing is stuck.
printf 'mqdigest 3\nend\n' > "$scratch/empty"
golden "no process" $mqdump "$scratch/empty"

tests_end
