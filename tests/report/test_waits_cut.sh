# test_waits_cut.sh - shortened lists keep the cause
# tier: simulated
#
# Ranks 0 to N each wait in a way of its own for the last two, which wait for
# each other: of too many ways for the report, these two come first.  No line is
# left out to say that one is.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

# job N: a digest of so many ranks behind two.
job() {
    awk -v behind="$1" 'BEGIN {
        ranks = behind + 2
        print "mqdigest 1\nname here\nimage a.out\ngroup 0 0-" ranks - 1
        for (r = 0; r < ranks; r++) {
            print "process " r " MPI_Recv"
            print "comm 0x7f" sprintf("%06x", r) " " r " " ranks \
                " 0 MPI_COMM_WORLD"
            peer = r == ranks - 1 ? r - 1 : ranks - 1
            print "receive pending " peer "/" peer " " 100 + r " 40 0x10"
        }
        print "end"
    }' > "$scratch/job.mqdigest"
    "$BUILD/mqdump" --still "$scratch/job.mqdigest" > "$scratch/out" 2>&1
    sed -n '/^who waits/,/^[^ ]/p' "$scratch/out" | grep '^  [r.]' \
        > "$scratch/lines"
}

job 10
check_equal '12 ways: lines' "$(wc -l < "$scratch/lines")" 9
check_equal '12 ways: first' \
    "$(sed 2q "$scratch/lines" | cut -d' ' -f4 | paste -sd' ' -)" "10 11"
check_golden '12 ways: last' "$(tail -n 1 "$scratch/lines")"

job 7
check_equal '9 ways: lines' "$(wc -l < "$scratch/lines")" 9
check_equal '9 ways: all' \
    "$(cut -d' ' -f4 "$scratch/lines" | sort -n | paste -sd' ' -)" \
    "0 1 2 3 4 5 6 7 8"

"$BUILD/mqdump" --all --still "$scratch/job.mqdigest" > "$scratch/out" 2>&1
check_equal '--all: nothing more' \
    "$(grep -c 'more way' "$scratch/out")" 0
tests_end
