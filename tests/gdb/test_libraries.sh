# test_libraries.sh - libraries whose symbols are read late
# tier: live
#
# Libraries whose symbols are read late: a stack that leads through one is whole
# all the same, at each look.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

if ! have gdb; then
    skip "libraries" "there is no gdb"
    tests_end
fi

cat > "$scratch/bsd.c" << 'END'
void through(void (*function)(void))
{
    char room[500];

    room[0] = 0;
    __asm__ volatile("" : : "r"(room) : "memory");
    function();
    __asm__ volatile("" : : "r"(room) : "memory");
}
END
cat > "$scratch/program.c" << 'END'
#include <stdio.h>
#include <unistd.h>

void through(void (*)(void));

static void wait_here(void)
{
    puts("here");
    fflush(stdout);
    for (;;)
        pause();
}

int main(void)
{
    through(wait_here);
    return 0;
}
END
cat > "$scratch/look.py" << 'END'
import os, sys, gdb
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.abspath(os.environ["MQDUMP_FOLDER"]))
import mqdump
print("late:", *[name for name in "LLVM-15 LLVMSPIRVLib clang-cpp RusticlOpenCL"
    " z3 z zmq mpich mpi ucp clic".split()
    if "is_unrelated" in mqdump.kinds_of("/usr/lib/lib%s.so.1" % name)])
control = mqdump.Control()
for look in range(2):
    control.attach(os.environ["PROGRAM_PID"])
    left_out = [name for name in mqdump.Libraries.here().unread if "libbsd" in name]
    names = [one.name for one in mqdump.Stack(gdb.selected_thread()).places]
    print("look:", len(left_out), *names[names.index("wait_here"):])
    control.detach()
END

cc -shared -fPIC -O2 -fomit-frame-pointer -o "$scratch/libbsd.so.0" \
    "$scratch/bsd.c" &&
    cc -o "$scratch/program" "$scratch/program.c" "$scratch/libbsd.so.0" ||
    fail "the program is compiled" < /dev/null
"$scratch/program" > "$scratch/said" &
program=$!
is_there() { grep -q here "$scratch/said"; }
wait_until is_there || fail "the program starts" < /dev/null
MQDUMP_FOLDER=$BUILD PROGRAM_PID=$program timeout 300 \
    gdb -nx -batch -ex "file $scratch/program" -x "$scratch/look.py" \
    > "$scratch/out" 2>&1
kill -CONT "$program" 2> /dev/null
kill "$program"
wait "$program" 2> /dev/null
grep -E '^(late|look)' "$scratch/out" > "$scratch/looks"
cat > "$scratch/wanted" << 'END'
late: LLVM-15 LLVMSPIRVLib clang-cpp RusticlOpenCL z3 z
look: 1 wait_here through main
look: 1 wait_here through main
END
if ! cmp -s "$scratch/looks" "$scratch/wanted"; then
    cat "$scratch/out"
fi
check_same "a stack through a library that is read late" "$scratch/looks" \
    "$scratch/wanted"

tests_end
