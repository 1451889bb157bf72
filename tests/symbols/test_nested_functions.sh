# test_nested_functions.sh - functions declared in others
# tier: live
#
# The frame of a function that is declared in another one, as in C of gcc's and
# in Fortran behind "contains", whose code is outside of the other's.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh

requires gcc x86-64

cat > "$scratch/libmpi.c" << 'END'
#include <unistd.h>

int MPI_Wait(void *request, void *status)
{
    for (;;)
        pause();
}
END
cat > "$scratch/program.c" << 'END'
int MPI_Wait(void *request, void *status);

int main(void)
{
    int request;

    void finish(void *status)
    {
        MPI_Wait(&request, status);
    }

    finish(&request);
    return 0;
}
END
gcc -g -w -shared -fPIC -o "$scratch/libmpi.so" "$scratch/libmpi.c"

# check OPTION: its name and line, as the compiler places it so.
check() {
    gcc -g -w "$1" -fno-inline -o "$scratch/program" "$scratch/program.c" \
        "$scratch/libmpi.so" || fail "$1: gcc" < /dev/null
    PMI_RANK=0 PMI_SIZE=1 "$scratch/program" &
    jobs_started="$jobs_started $!"
    wait_until grep -q '^34 ' "/proc/$!/syscall"
    "$mqdump" --format json --ranks-are 0 --pid $! > "$scratch/out" 2> "$scratch/err"
    check_equal "$1" "$(sed -n '/"frames"/,/]/s/.*"function": "\(.*\)",/\1/p' \
        "$scratch/out" | sed '/^MPI_Wait/,/^main/!d' | paste -sd ' ')" \
        "MPI_Wait finish main"
    stop_jobs
}

check -O0
check -O2

tests_end
