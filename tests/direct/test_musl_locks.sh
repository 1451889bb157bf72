# test_musl_locks.sh - layout of musl's mutexes in direct/locks.c
# tier: builds
#
# SPDX-License-Identifier: BSD-2-Clause

. tests/kit/harness.sh

requires musl-gcc

# Prints kind, lock and its own number, of a mutex that it has and another
# thread waits for.
cat > "$scratch/locks.c" << 'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex;

static void *take(void *unused)
{
    pthread_mutex_lock(&mutex);
    return unused;
}

/* One that this thread has and another one waits for. */
static void show(int kind)
{
    const volatile unsigned *words = (const volatile unsigned *)&mutex;
    pthread_mutexattr_t attributes;
    pthread_t thread;

    memset(&mutex, 0, sizeof mutex);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, take, NULL);
    while (words[1] >> 31 == 0)
        usleep(1000);
    printf("%u %x %lx\n", words[0], words[1], syscall(SYS_gettid));
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}

int main(void)
{
    show(PTHREAD_MUTEX_NORMAL);
    show(PTHREAD_MUTEX_RECURSIVE);
    show(PTHREAD_MUTEX_ERRORCHECK);
    return 0;
}
END

musl-gcc -o "$scratch/locks" "$scratch/locks.c" || exit
"$scratch/locks" > "$scratch/words"
while read -r kind lock number; do
    case $kind in
    0) check_equal "a plain mutex has no owner" "$lock" 80000010 ;;
    *) check_equal "a mutex of kind $kind" "$((0x$lock))" \
        "$((0x80000000 | 0x$number))" ;;
    esac
done < "$scratch/words"
check_equal "kinds" "$(wc -l < "$scratch/words")" 3
tests_end
