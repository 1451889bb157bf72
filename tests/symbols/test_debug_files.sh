# test_debug_files.sh - debug files that are not regular files
# tier: live
#
# What a program names as files of more debug information is not opened when it
# is no plain file, and holds nobody up.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

reader=$BUILD/tests/kit/target

requires elfutils objcopy

cat > "$scratch/call.c" << 'END'
#include <stdio.h>
#include <unistd.h>

int MPI_Recv(int source)
{
    puts("here");
    fflush(stdout);
    for (;;)
        pause();
    return source;
}

int main(void)
{
    return MPI_Recv(3);
}
END

# A pipe PATH in the place of a file: who writes to it waits until somebody opens
# it for reading.
put_pipe() {
    rm -f "$1"
    mkfifo "$1"
    { : > "$1"; echo "$1" >> "$scratch/opened"; } &
    jobs_started="$jobs_started $!"
}

# look NAME: at the program "made", without any debugger.
look() {
    (cd "$scratch" && exec ./made) > "$scratch/made.said" &
    made=$!
    jobs_started="$jobs_started $made"
    wait_until grep -q here "$scratch/made.said"
    timeout 60 env BUILD="$BUILD" "$reader" read $made main inner \
        > "$scratch/out" 2> "$scratch/err"
    check_equal "$1: reader $(errors)" \
        $(($? < 124)) 1
    check_contains "$1: shown" "$(cat "$scratch/out")" main
    timeout 60 env PATH="$scratch/nothing" "$mqdump" --pid $made \
        > "$scratch/out" 2> "$scratch/err"
    check_equal "$1: mqdump" $(($? < 124)) 1
    check_equal "$1: pipes" \
        "$(cat "$scratch/opened" 2> /dev/null)" ""
    stop_jobs
}

compile() { gcc -g -O0 "$@" -o "$scratch/made" "$scratch/call.c"; }

(cd "$scratch" && gcc -g -O0 -gsplit-dwarf -o made call.c)
find "$scratch" -name '*.dwo' > "$scratch/split"
check_equal "split DWARF" "$(wc -l < "$scratch/split")" 1
put_pipe "$(cat "$scratch/split")"
look "split DWARF"

compile
objcopy --only-keep-debug "$scratch/made" "$scratch/made.debug"
strip "$scratch/made"
objcopy --add-gnu-debuglink="$scratch/made.debug" "$scratch/made"
put_pipe "$scratch/made.debug"
look "a debug link"

compile
{ printf 'alt.debug\0'; printf '%020d' 0; } > "$scratch/link"
objcopy --add-section .gnu_debugaltlink="$scratch/link" "$scratch/made"
put_pipe "$scratch/alt.debug"
look "a shared link"

tests_end
