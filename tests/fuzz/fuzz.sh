# fuzz.sh - runs fuzzers for a total of SECONDS
#
# fuzz.sh SECONDS FUZZER...
#
# SPDX-License-Identifier: BSD-2-Clause

seconds=$(($1 / ($# - 1)))
shift
[ "$seconds" -ge 1 ] || seconds=1
status=0
for fuzzer in "$@"; do
    name=${fuzzer#fuzz_}
    work=$BUILD/fuzz/$name
    mkdir -p "$work"
    "$BUILD/fuzz/tests/fuzz/$fuzzer" -max_total_time="$seconds" -max_len=20000 \
        -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$work-" \
        "$work" "tests/data/corpus/$name" > "$work.log" 2>&1
    if [ $? -eq 0 ]; then
        echo "$fuzzer: $(tail -n 1 "$work.log")"
    else
        echo "$fuzzer: found something, see $work.log"
        tail -n 30 "$work.log"
        status=1
    fi
done
exit $status
