# test_hostile_stub.sh - a stub is looked at, whatever it asks for
# tier: live
#
# A stub behind --remote is looked at, and that is all: it has no file of this
# host opened, written or deleted, and no command run, however it asks.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

for need in gdb python3; do
    if ! have $need; then
        skip "a hostile stub" "there is no $need"
        tests_end
    fi
done

program=$BUILD/job/le64/job

# is_served: the stub listens.
is_served() {
    [ -e "$folder/port" ]
}

# try WHEN ARGUMENT...: the stub takes advantage of the stop at WHEN.
try() {
    folder=$scratch/stub
    mkdir "$folder"
    echo kept > "$folder/kept"
    mkfifo "$folder/library"
    # Who opens the library to read it has this go on.
    { echo > "$folder/library"; touch "$folder/opened"; } 2> /dev/null &
    opener=$!
    python3 tests/programs/hostile/stub.py "$folder/port" "$1" \
        "$folder/written" \
        "$folder/kept" "$folder/library" $2 > "$folder/said" 2>&1 &
    stub=$!
    wait_until is_served
    timeout 600 $mqdump --until job_ticks --raw \
        --remote "127.0.0.1:$(cat "$folder/port")" "$program" \
        > "$folder/shown" 2> "$folder/err"
    check_equal "$*: exit status" $? 2
    check_contains "$*: it was read to the end" "$(cat "$folder/err")" \
        "it has no communicators"
    wait $stub
    kill $opener 2> /dev/null
    wait $opener 2> /dev/null
    check_equal "$*: what it was answered" \
        "$(sed 's/^F\([a-z]*\).* -> /\1 /' "$folder/said")" \
        "open F-1,1
unlink F-1,1
open F-1,1
system F-1,1
rename F-1,1"
    check_equal "$*: files" "$(ls "$folder" | paste -sd' ' -)" \
        "err kept library port said shown"
    rm -r "$folder"
}

try run
try run acks
try connect
try connect acks

tests_end
