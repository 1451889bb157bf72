# test_harness.sh - the test harness counts failed checks
# tier: simulated
#
# The checks of tests count what fails, wherever it fails; a test that failed
# beside others runs once more, and its last run counts.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

cat > "$scratch/inner.sh" << 'END'
. tests/kit/harness.sh
echo a > "$scratch/a"
echo b > "$scratch/b"
check_equal equal a a
check_equal 'not equal' a b
check_contains contains abc b
check_contains 'contains not' abc d
check_same same "$scratch/a" "$scratch/a"
check_same 'not the same' "$scratch/a" "$scratch/b"
echo why | fail 'not in a pipe'
skip skipped 'there is no reason'
tests_end
END

sh "$scratch/inner.sh" > "$scratch/out" 2>&1
check_equal 'failed: status' $? 1
check_equal 'its counts' "$(tail -n 1 "$scratch/out")" \
    '3 passed, 4 failed, 1 skipped'
check_contains 'why' "$(cat "$scratch/out")" 'failed: not equal
  got    a
  wanted b'

sed '/not/d' "$scratch/inner.sh" > "$scratch/good.sh"
sh "$scratch/good.sh" > "$scratch/out" 2>&1
check_equal 'passed: status' $? 0
check_equal 'its counts' "$(tail -n 1 "$scratch/out")" \
    '3 passed, 0 failed, 1 skipped'

# Golden files: written, then compared, section by section.
cat > "$scratch/compares.sh" << 'END'
. tests/kit/harness.sh
golden_file=$FOLDER/golden
[ -z "$LACKS" ] || skip lacks "$LACKS"
known NOW 4711
golden command sh -c "echo $WORD at process 4711 of 12; echo no >&2; exit 3"
[ -n "$LACKS" ] || check_golden text "$scratch/a of process 99"
tests_end
END
# compares NAME WANTED: what it says, of its counts and of a difference.
compares() {
    FOLDER=$scratch sh "$scratch/compares.sh" > "$scratch/out" 2>&1
    check_equal "$1" "$(tail -n 1 "$scratch/out")" "$2"
}
export GOLDEN WORD LACKS
GOLDEN='' WORD=here LACKS='' compares 'no golden file' \
    '0 passed, 2 failed, 0 skipped'
GOLDEN=write WORD=here LACKS='' compares written '2 passed, 0 failed, 0 skipped'
printf '%s\n' '==== command' \
    '$ sh -c echo here at process NOW of 12; echo no >&2; exit 3' \
    'here at process NOW of 12' '! no' 'exit 3' '==== text' \
    'SCRATCH/a of process N' > "$scratch/wanted"
check_same 'golden file' "$scratch/golden" "$scratch/wanted"
GOLDEN='' WORD=here LACKS='' compares compared '2 passed, 0 failed, 0 skipped'
GOLDEN='' WORD=there LACKS='' compares different '1 passed, 1 failed, 0 skipped'
check_contains 'different: how' "$(cat "$scratch/out")" '+there at process NOW'
GOLDEN=write WORD=there LACKS=text compares 'written in part' \
    '1 passed, 0 failed, 1 skipped'
sed 's/here/there/' "$scratch/wanted" > "$scratch/partly"
check_same 'what was skipped' "$scratch/golden" "$scratch/partly"
GOLDEN=''

# Cases and scripts that check nothing have failed.
cat > "$scratch/empty.c" << 'END'
#include "tests/kit/harness.h"

int main(void)
{
    test("checks nothing");
    test("checks");
    CHECK(1);
    test("cannot be checked here");
    test_skip("there is no reason");
    return tests_end();
}
END
${CC:-gcc} -I. -o "$scratch/empty" "$scratch/empty.c" tests/kit/harness.c 2>&1 |
    sed 's/^/  /'
"$scratch/empty" > "$scratch/out"
check_equal 'empty case: status' $? 1
check_equal 'its counts' "$(tail -n 1 "$scratch/out")" \
    '1 passed, 1 failed, 1 skipped'
check_contains 'which case' "$(cat "$scratch/out")" \
    "in 'checks nothing': nothing is checked"

cat > "$scratch/second.sh" << END
. tests/kit/harness.sh
[ -e "$scratch/ran" ] || fail 'not yet' < /dev/null
echo > "$scratch/ran"
check_equal same a a
check_equal same a a
tests_end
END
sh tests/kit/run.sh '' '' "$scratch/second.sh" > "$scratch/out" 2>&1
check_equal 'again: status' $? 0
check_equal 'again: counts' "$(tail -n 1 "$scratch/out")" \
    '2 passed, 0 failed, 0 skipped'
check_contains 'again: note' "$(cat "$scratch/out")" \
    'failed beside others: again, alone'
sh tests/kit/run.sh '' '' "$scratch/inner.sh $scratch/good.sh" \
    > "$scratch/out" 2>&1
check_equal 'fails again: status' $? 1
check_equal 'fails again: counts' "$(tail -n 1 "$scratch/out")" \
    '6 passed, 4 failed, 2 skipped'

printf '. tests/kit/harness.sh\ntests_end\n' > "$scratch/nothing.sh"
sh "$scratch/nothing.sh" > "$scratch/out" 2>&1
check_equal 'no checks: status' $? 1
check_contains 'why' "$(cat "$scratch/out")" 'failed: nothing is checked'

tests_end
