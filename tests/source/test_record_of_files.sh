# test_record_of_files.sh - --record of recordings is refused
# tier: simulated
#
# It wrote nothing and said nothing.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

mkdir "$scratch/kept"
"$BUILD/tests/kit/scenario" le64 > "$scratch/kept/rank-00000.mqsnap"

# refused NAME SOURCE
refused() {
    "$BUILD/mqdump" --record "$scratch/new" "$2" > "$scratch/said" \
        2> "$scratch/err"
    check_equal "$1: exit status" $? 2
    check_contains "$1" "$(cat "$scratch/err")" \
        "--record $scratch/new keeps processes"
}

refused "a snapshot" "$scratch/kept/rank-00000.mqsnap"
refused "a folder" "$scratch/kept"
refused "a digest" tests/data/golden/answers.mqdigest
refused "a record" tests/data/corpus/record/ring

tests_end
