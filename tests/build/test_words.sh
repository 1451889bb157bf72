# test_words.sh - the check of names against the glossary
# tier: simulated
#
# Names keep to the words of CONTRIBUTING; the check that says so finds what does
# not.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

sh tests/build/words.sh > "$scratch/out" 2>&1
check_equal "this tree" "$?: $(cat "$scratch/out")" "0: "

# finds NAME FILE LINE: that a tree with this file, which has the line, is
# reported, and how.
finds() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/doc" "$scratch/tree/debugger/model" \
        "$scratch/tree/${2%/*}"
    cp doc/CONTRIBUTING "$scratch/tree/doc"
    echo 'struct mq_job;' > "$scratch/tree/debugger/model/job.h"
    echo "$3" > "$scratch/tree/$2"
    sh tests/build/words.sh "$scratch/tree" > "$scratch/out"
    check_golden "$1" "$?: $(cat "$scratch/out")"
}

finds "a listed word" debugger/base/a.c 'int mq_look_at(int);'
finds "a name" debugger/base/a.c 'int mq_peek_at(int);'
finds "several words" debugger/base/a.c 'enum { mq_most_dumps = 1 };'
finds "part of name" debugger/base/a.c 'int mq_dumping(int);'
finds "a file" mqdump/sample/playback.c 'int nothing;'
finds "two headers" mqdump/sample/job.h 'int nothing;'

tests_end
