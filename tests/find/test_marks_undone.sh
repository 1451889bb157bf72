# test_marks_undone.sh - marks are undone however mqdump ends
# tier: live
#
# A rank that was told that it is being debugged is set back whatever ends the
# look: an error, a signal, the end of mqdump itself, all of it.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gdb
# A process is told when the DLL has shown once that it may be.
WAITS=$scratch/waits AT_PROCESS=2
export WAITS AT_PROCESS

# The mark in the rank, which may be stopped at that time.
mark() {
    dd if="/proc/$job/mem" bs=1 skip="$mark_at" count=4 2> /dev/null |
        od -An -tu4 | tr -d ' '
}

# Who sets it back may still be about to when mqdump has gone.
is_undone() { [ "$(mark)" = 0 ]; }

start_job le64 1 stream
mark_at=$(gdb -nx -batch -p "$job" \
    -ex 'printf "at %lu\n", (unsigned long)&MPIR_being_debugged' 2> /dev/null |
    sed -n 's/^at //p')

# begin_look: an mqdump looks at the rank, and has told it.  Sets reader, worker
# and child, and the one that would set it back, in a session of its own.
begin_look() {
    # Shells start what runs in the background with SIGINT ignored.
    env --default-signal=INT,HUP "$mqdump" --looks 1 \
        --dll "$BUILD/tests/dlls/waits.so" --job "$job" \
        > "$scratch/shown" 2> "$scratch/said" &
    reader=$!
    wait_until [ -e "$WAITS" ] ||
        fail "no DLL" < "$scratch/said"
    worker=$(pgrep -P "$reader")
    child=$(pgrep -P "$worker")
    keeper=$(pgrep -P "$child" mqdump)
    check_equal "mark during it" "$(mark)" 1
}

# check_end NAME STATUS: that mqdump ends so, and leaves no mark.
check_end() {
    rm -f "$WAITS"
    ends_within 300 "$reader" || fail "$1: mqdump remains" < /dev/null
    wait "$reader"
    check_equal "$1: exit status" $? "$2"
    ends_within 300 "$worker" || fail "$1: a child remains" < /dev/null
    ends_within 300 "$keeper" || fail "$1: a keeper remains" < /dev/null
    wait_until is_undone
    check_equal "$1: MPIR_being_debugged" "$(mark)" 0
    check_runs "$1"
}

for signal in INT:130 TERM:143 HUP:129; do
    begin_look
    kill "-${signal%:*}" "$reader"
    check_end "SIG${signal%:*}" ${signal#*:}
done

begin_look
kill -KILL "$child"
check_end "child killed" 2
begin_look
kill -KILL "$keeper"
kill "$reader"
check_end "keeper killed" 143
begin_look
kill -KILL "$worker"
check_end "reader killed" 2
begin_look
kill -KILL "$reader"
check_end "mqdump killed" 137
begin_look
kill -KILL "$reader" "$worker" "$child"
check_end "all killed" 137

is_undone() { [ "$(mark)" = 0 ]; }
for way in exit abort; do
    EXITS=$way "$mqdump" -v --dll "$BUILD/tests/dlls/exits.so" --job "$job" \
        > "$scratch/shown" 2> "$scratch/said"
    check_equal "DLL calls $way" $? 2
    wait_until is_undone
    check_equal "DLL calls $way: mark" "$(mark)" 0
done
check_golden "what is written" \
    "$(grep MPIR_being_debugged "$scratch/said" | sort -u)"
check_runs "after all"
tests_end
