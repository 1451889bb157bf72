# test_words.sh - names keep to the words of CONTRIBUTING
# tier: simulated
#
# Names keep to the words of CONTRIBUTING; the check that says so finds what does
# not.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

sh tests/build/words.sh > "$scratch/out" 2>&1
check_equal "this tree" "$?: $(cat "$scratch/out")" "0: "

# finds NAME WANTED FILE LINE: that a tree with this file, which has the line, is
# complained of in this way.
finds() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/doc" "$scratch/tree/debugger/job" \
        "$scratch/tree/${3%/*}"
    cp doc/CONTRIBUTING "$scratch/tree/doc"
    echo 'struct mq_job;' > "$scratch/tree/debugger/job/job.h"
    echo "$4" > "$scratch/tree/$3"
    sh tests/build/words.sh "$scratch/tree" > "$scratch/out"
    check_equal "$1" "$?: $(cat "$scratch/out")" "$2"
}

finds "a word that is in the list" "0: " debugger/base/a.c 'int mq_look_at(int);'
finds "a name" "1: debugger/base/a.c:1:mq_peek_at: never used as a word" \
    debugger/base/a.c 'int mq_peek_at(int);'
finds "a name of several" \
    "1: debugger/base/a.c:1:mq_most_dumps: never used as a word" \
    debugger/base/a.c 'enum { mq_most_dumps = 1 };'
finds "no part of a name" "0: " debugger/base/a.c 'int mq_dumping(int);'
finds "a file" "1: mqdump/live/playback.c: never used as a word" \
    mqdump/live/playback.c 'int nothing;'
finds "two headers" "1: job.h: two headers have this name" mqdump/live/job.h \
    'int nothing;'

tests_end
