/* test_locks.c - lock owners need two consistent sources */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/locks.h"

#include <string.h>

#include "tests/kit/harness.h"

enum {
    base = 0x1000, words = 8,
    has_waiters = 2, robust = 0x10, inherits = 0x20
};

/* A process that has nothing but these words. */
static uint32_t memory_words[words];

static enum mq_result read_words(struct mq_target *target, uint64_t address,
                                 size_t size, struct mq_error *error,
                                 void *bytes)
{
    (void)target;
    if (address < base || size > sizeof memory_words
        || address - base > sizeof memory_words - size)
        return mq_fail(error, "there is nothing");
    memcpy(bytes, (const char *)memory_words + (address - base), size);
    return mq_ok;
}

static const struct mq_target_ops ops = { .read = read_words };
static struct mq_target memory = { .ops = &ops };

/* The owner of the lock that a thread waits for, which sleeps at a word of it
 * in FUNCTION; 0: no lock.
 */
static int owner(const char *function, unsigned word, const char *library)
{
    struct mq_resource found = mq_lock_find(&memory, base + 4 * word, library,
                                            function);

    return found.kind == mq_resource_none ? 0 : found.thread;
}

static const struct {
    const char *name, *function, *library;
    unsigned sleeps_at;
    uint32_t words[words];
    int owner;
} cases[] = {
    { "a mutex", "pthread_mutex_lock", "/lib/libc.so.6", 0,
      { has_waiters, 1, 17, 1, 0 }, 17 },
    { "a mutex by another name", "__pthread_mutex_lock", "/lib/libc.so.6", 0,
      { has_waiters, 1, 17, 1, 0 }, 17 },
    { "a mutex that is free", "pthread_mutex_lock", "/lib/libc.so.6", 0,
      { 0, 0, 0, 0, 0 }, 0 },
    { "a mutex nobody waits for", "pthread_mutex_lock", "/lib/libc.so.6", 0,
      { 1, 1, 17, 1, 0 }, 0 },
    { "a mutex of no kind", "pthread_mutex_lock", "/lib/libc.so.6", 0,
      { has_waiters, 1, 17, 1, 0x4000 }, 0 },
    { "a condition", "pthread_cond_wait", "/lib/libc.so.6", 0,
      { has_waiters, 1, 17, 1, 0 }, 0 },
    { "a robust mutex", "pthread_mutex_lock", "/lib/libc.so.6", 0,
      { 1u << 31 | 18, 1, 17, 1, robust }, 18 },
    { "a mutex that inherits priorities", "pthread_mutex_lock",
      "/lib/libc.so.6", 0, { 1u << 31 | 18, 1, 17, 1, inherits }, 18 },
    { "the same without waiters", "pthread_mutex_lock", "/lib/libc.so.6", 0,
      { 18, 1, 17, 1, inherits }, 0 },
    { "a read-write lock, in its phase", "pthread_rwlock_rdlock",
      "/lib/libc.so.6", 2, { 1, 0, 3, 0, 0, 0, 17, 1 }, 17 },
    { "a read-write lock, for writers", "pthread_rwlock_wrlock",
      "/lib/libc.so.6", 3, { 1, 0, 0, 3, 0, 0, 17, 1 }, 17 },
    { "one with readers", "pthread_rwlock_wrlock", "/lib/libc.so.6", 2,
      { 9, 1, 3, 0, 0, 0, 0, 0 }, 0 },
    { "a thread", "pthread_join", "/lib/libc.so.6", 0, { 17 }, 17 },
    { "a mutex of musl", "pthread_mutex_lock", "/lib/ld-musl-x86_64.so.1", 1,
      { 1, 1u << 31 | 17, 1 }, 17 },
    { "a plain mutex of musl, which has no owner", "pthread_mutex_lock",
      "/lib/ld-musl-x86_64.so.1", 1, { 0, 1u << 31 | 16, 1 }, 0 },
    { "a mutex of musl that is free", "pthread_mutex_lock",
      "/lib/ld-musl-x86_64.so.1", 1, { 1, 1u << 31, 1 }, 0 }
};

static void check_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(memory_words, cases[i].words, sizeof memory_words);
        test("%s", cases[i].name);
        CHECK_INT(owner(cases[i].function, cases[i].sleeps_at,
                        cases[i].library), cases[i].owner);
    }
}

/* Whatever the words are: an owner is one of a mutex that is locked and waited
 * for, of a kind that there is.
 */
static void check_random(void)
{
    enum { times = 100000 };
    uint64_t state = 1;
    int wrong = 0, believed = 0;

    test("%d mutexes of random words", times);
    for (int i = 0; i < times; i++) {
        const uint32_t *it = memory_words;
        int its;

        memcpy(memory_words, cases[i % 2 == 0 ? 0 : 6].words,
               sizeof memory_words);
        for (int changes = 0; changes < i % 4; changes++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            memory_words[state >> 61] ^= 1u << (state >> 33) % 32;
        }
        its = owner("pthread_mutex_lock", 0, "/lib/libc.so.6");
        believed += its != 0;
        wrong += its != 0 && ((it[4] & ~0x1ffu) != 0 || it[3] >= 1 << 20
                              || ((it[4] & (robust | inherits)) == 0
                                  ? it[0] != has_waiters
                                    || (uint32_t)its != it[2]
                                  : (uint32_t)its != (it[0] & 0x3fffffff)));
        wrong += owner("sem_wait", 0, "/lib/libc.so.6") != 0;
    }
    CHECK_INT(wrong, 0);
    CHECK(believed > times / 4);
}

int main(void)
{
    memory.byte_order = mq_little_endian;
    check_cases();
    check_random();
    return tests_end();
}
