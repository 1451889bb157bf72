# The checks of shell tests count what fails, wherever they fail.

. tests/harness.sh

cat > "$scratch/inner.sh" << 'END'
. tests/harness.sh
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

tests_end
