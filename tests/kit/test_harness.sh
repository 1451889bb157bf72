# test_harness.sh - the checks of tests count what fails
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
check_equal 'exit status of a script that failed' $? 1
check_equal 'its counts' "$(tail -n 1 "$scratch/out")" \
    '3 passed, 4 failed, 1 skipped'
check_contains 'why' "$(cat "$scratch/out")" 'failed: not equal
  got    a
  wanted b'

sed '/not/d' "$scratch/inner.sh" > "$scratch/good.sh"
sh "$scratch/good.sh" > "$scratch/out" 2>&1
check_equal 'exit status of a script that passed' $? 0
check_equal 'its counts' "$(tail -n 1 "$scratch/out")" \
    '3 passed, 0 failed, 1 skipped'

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
check_equal 'exit status of a program with an empty case' $? 1
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
check_equal 'exit status where the second run passes' $? 0
check_equal 'the counts of the second run' "$(tail -n 1 "$scratch/out")" \
    '2 passed, 0 failed, 0 skipped'
check_contains 'that there were two' "$(cat "$scratch/out")" \
    'failed beside others: again, alone'
sh tests/kit/run.sh '' '' "$scratch/inner.sh $scratch/good.sh" \
    > "$scratch/out" 2>&1
check_equal 'exit status where it fails again' $? 1
check_equal 'the counts of all' "$(tail -n 1 "$scratch/out")" \
    '6 passed, 4 failed, 2 skipped'

printf '. tests/kit/harness.sh\ntests_end\n' > "$scratch/nothing.sh"
sh "$scratch/nothing.sh" > "$scratch/out" 2>&1
check_equal 'exit status of a script without checks' $? 1
check_contains 'why' "$(cat "$scratch/out")" 'failed: nothing is checked'

tests_end
