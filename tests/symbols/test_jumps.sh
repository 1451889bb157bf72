# test_jumps.sh - calls through jump stubs
# tier: live
#
# The call of a rank in an MPI library whose functions are nothing but jumps to
# others without names, as those of Debian 13 are: behind a mark of where jumps
# may lead to (-fcf-protection).
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gcc x86-64

cat > "$scratch/libmpi.c" << 'END'
#include <unistd.h>

static __attribute__((noinline, used)) int wait_for_ever(void)
{
    for (;;)
        pause();
}

__attribute__((naked)) int MPI_Waitall(int count, void *requests, void *statuses)
{
    __asm__("jmp wait_for_ever");     /* behind an endbr64 of gcc's */
}

/* Of no standard: nothing tells the call. */
int hidden_call(void)
{
    return wait_for_ever() + 1;
}
END
cat > "$scratch/program.c" << 'END'
int MPI_Waitall(int count, void *requests, void *statuses);
int hidden_call(void);

int main(int argc, char **argv)
{
    return argc > 1 ? hidden_call() : MPI_Waitall(0, 0, 0);
}
END
gcc -O2 -w -fcf-protection -fno-optimize-sibling-calls -shared -fPIC -s \
    -o "$scratch/libmpi.so" "$scratch/libmpi.c"
gcc -O1 -o "$scratch/program" "$scratch/program.c" "$scratch/libmpi.so"

# sleeps PID: whether it is where it stays, in pause(2).
sleeps() {
    [ "$(cut -d ' ' -f 1 "/proc/$1/syscall")" = 34 ]
}

# look ARGUMENT...: what is told of the program.
look() {
    PMI_RANK=0 PMI_SIZE=1 "$scratch/program" "$@" &
    program=$!
    wait_until sleeps "$program"
    COLUMNS=400 "$BUILD/mqdump" --ranks-are 0 --pid "$program" \
        > "$scratch/out" 2> "$scratch/err"
    kill "$program"
    wait "$program" 2> "$scratch/ended"
}

case $("$mqdump" --version) in
*capstone*)
    look
    check_contains "mark and jump" "$(cat "$scratch/out")" "in MPI_Waitall"
    ;;
*) skip "mark and jump" "no capstone" ;;
esac
look hidden
check_equal "in the library" \
    "$(grep -c 'Nothing is stuck\|which runs\|Held up' "$scratch/out")" 0
tests_end
