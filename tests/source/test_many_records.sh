# test_many_records.sh - directories with many records
# tier: simulated
#
# More records than files may be open are read as few are, without a word; of
# many jobs the latest is shown.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

one=tests/data/corpus/record/ring
folder=$scratch/records

# make COUNT [jobs]
make_records() {
    rm -rf "$folder"
    mkdir "$folder"
    "$BUILD/tests/kit/records" $one "$folder" "$@"
}

# look: with at most 32 files open.
look() {
    (ulimit -n 32; exec "$BUILD/mqdump" --format json "$folder") \
        > "$scratch/said" 2> "$scratch/err"
    status=$?
}

# The records that are shown.
names() { grep -o 'rank-[0-9]*[.]host[.][0-9]*[.]mqwatch' "$scratch/said" \
    | sort -u; }

# Each rank waits for the one before it.
make_records 4
look
expected=$status
check_equal "4 ranks: stderr" "$(cat "$scratch/err")" ""
make_records 400
look
check_equal "400 ranks: status" "$status" "$expected"
check_equal "400 ranks: stderr" "$(cat "$scratch/err")" ""
check_equal "400 ranks: processes" \
    "$(names | wc -l)" 400

make_records 400 jobs
look
check_equal "400 jobs" \
    "$(names)" "rank-00000.host.399.mqwatch"
check_contains "400 jobs: others" "$(cat "$scratch/err")" \
    "399 earlier jobs"

# A record that says that 1 GiB of its hole is in use, among others.
make_records 3
for i in 0 1 2; do
    record=$folder/rank-0000$i.host.$i.mqwatch
    truncate -s 2G "$record"
    printf '\000\000\000\100' \
        | dd of="$record" bs=1 seek=24 conv=notrunc 2> "$scratch/dd"
done
look
check_equal "holes: status" "$status" 2
check_equal "holes: sentences" \
    "$(grep -c "hole" "$scratch/err")" 3

make_records 400
for record in "$folder"/*; do
    printf 'x' | dd of="$record" bs=1 seek=8 conv=notrunc 2> "$scratch/dd"
done
look
check_equal "damaged records: status" "$status" 2
check_equal "damaged records: lines" \
    "$(($(wc -l < "$scratch/err") < 12))" 1

tests_end
