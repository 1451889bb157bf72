# test_yama.sh - processes that kernel.yama.ptrace_scope protects
# tier: live
#
# With a kernel's answers to each setting, which this one need not have: the
# sentence for the user, and that ranks with libmqwatch ask to be readable.
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh
. tests/kit/live.sh
. tests/kit/mpis.sh

requires elfutils setpriv root x86-64
cat > "$scratch/yama.c" << 'END_OF_C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*next)(const char *, const char *);

    *(void **)&next = dlsym(RTLD_NEXT, "fopen");
    return next(strcmp(path, "/proc/sys/kernel/yama/ptrace_scope") == 0
                ? getenv("SCOPE") : path, mode);
}

int prctl(int option, ...)
{
    va_list rest;
    unsigned long value;

    va_start(rest, option);
    value = va_arg(rest, unsigned long);
    va_end(rest);
    if (option == PR_SET_PTRACER && value == PR_SET_PTRACER_ANY)
        fputs("may be read\n", stderr);
    return 0;
}
END_OF_C
cc -shared -fPIC -o "$scratch/yama.so" "$scratch/yama.c" -ldl &&
    cc -o "$scratch/forbid" tests/watch/forbid.c ||
    fail "the kernel's answers" < /dev/null
mkdir "$scratch/kit"
cp "$mqdump" "$BUILD"/libtvmpich.so "$scratch/kit"
chmod 755 "$scratch"

user="setpriv --reuid 4242 --regid 4242 --clear-groups"
$user sleep 900 &
job=$!
jobs_started=$job
wait_until grep -q sleep "/proc/$job/comm"
known JOB "$job"

# refused NAME COMMAND...: by that setting
refused() {
    name=$1
    shift
    echo "${name%%,*}" > "$scratch/scope"
    SCOPE=$scratch/scope "$@" env LD_PRELOAD="$scratch/yama.so" \
        "$scratch/kit/mqdump" --pid "$job" > "$scratch/out" 2> "$scratch/err"
    check_equal "$name: exit status" $? 2
    check_golden "$name" "$(cat "$scratch/out"; errors)"
}
for scope in 1 2 3; do
    # shellcheck disable=SC2086 # these are several words
    refused "$scope, its user" $user "$scratch/forbid"
done
refused "3, root" "$scratch/forbid"

echo '#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}' > "$scratch/solver.c"
for mpi in $(mpis); do
    "mpicc.$mpi" -o "$scratch/solver" "$scratch/solver.c"
    for library in '' "$(watch_library "$mpi")"; do
        preload=$scratch/yama.so${library:+:$library}
        check_equal "$mpi${library:+: watched}" "$(LD_PRELOAD=$preload \
            "$scratch/solver" 2>&1 | grep -c 'may be read')" \
            "$([ -z "$library" ]; echo $?)"
    done
done
tests_end
