/* locks.c - owners of the locks of the C library */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/locks.h"

#include <string.h>

#include "base/text.h"
#include "mpi/libraries.h"

/* Bits of the words of locks. */
enum {
    mutex_kinds = 0x1ff,        /* of glibc's mutexes, with their flags */
    robust = 0x10, inherits = 0x20,     /* the word names the owner */
    has_waiters = 2,
    musl_kinds = 0x8f, musl_with_owner = 0x0f,
    longest_count = 1 << 20     /* of threads that use a lock */
};

static const uint32_t thread_bits = 0x3fffffff;

struct words {
    uint32_t at[8];
};

static bool read_words(struct mq_target *memory, uint64_t address,
                       size_t count, struct words *words)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value;

        if (mq_target_read_unsigned(memory, address + 4 * i, 4, NULL,
                                    &value) != mq_ok)
            return false;
        words->at[i] = (uint32_t)value;
    }
    return true;
}

/* lock, count, owner, users, kind */
static bool owner_of_mutex(struct mq_target *memory, uint64_t at,
                           int64_t *owner)
{
    struct words it;
    bool is_named;

    if (!read_words(memory, at, 5, &it))
        return false;
    is_named = (it.at[4] & (robust | inherits)) != 0;
    *owner = is_named ? it.at[0] & thread_bits : it.at[2];
    return (it.at[4] & ~(uint32_t)mutex_kinds) == 0
           && it.at[3] < longest_count
           && (is_named ? it.at[0] >> 31 != 0 : it.at[0] == has_waiters);
}

/* type, lock; the plain type has no owner */
static bool owner_of_musl(struct mq_target *memory, uint64_t at,
                          int64_t *owner)
{
    struct words it;

    if (!read_words(memory, at - 4, 2, &it))
        return false;
    *owner = it.at[1] & thread_bits;
    return (it.at[0] & ~(uint32_t)musl_kinds) == 0
           && (it.at[0] & musl_with_owner) != 0 && *owner != 0
           && *owner != thread_bits;
}

/* readers, writers, the futexes of phases and of writers, 2 unused, its writer,
 * whether it is shared; a thread sleeps at either futex.  Taken for the later
 * one, the earlier has an unused word for the writer.
 */
static bool owner_of_rwlock(struct mq_target *memory, uint64_t at,
                            int64_t *owner)
{
    for (unsigned place = 3; place >= 2; place--) {
        struct words it;

        if (read_words(memory, at - (uint64_t)4 * place, 7, &it)
            && it.at[6] != 0 && it.at[6] <= thread_bits
            && it.at[1] < longest_count) {
            *owner = it.at[6];
            return true;
        }
    }
    return false;
}

/* The thread's number stays until the kernel clears it as that ends. */
static bool joined_thread(struct mq_target *memory, uint64_t at,
                          int64_t *owner)
{
    struct words it;

    if (!read_words(memory, at, 1, &it))
        return false;
    *owner = it.at[0];
    return it.at[0] != 0;
}

static const struct {
    enum mq_lock lock;
    enum mq_resource_kind kind;
    bool (*owner)(struct mq_target *, uint64_t at, int64_t *owner);
    bool is_musl;
} layouts[] = {
    { mq_lock_mutex, mq_resource_mutex, owner_of_musl, true },
    { mq_lock_mutex, mq_resource_mutex, owner_of_mutex, false },
    { mq_lock_rwlock, mq_resource_rwlock, owner_of_rwlock, false },
    { mq_lock_thread, mq_resource_thread, joined_thread, false }
};

struct mq_resource mq_lock_find(struct mq_target *memory, uint64_t at,
                                const char *library, const char *function)
{
    struct mq_resource found = { .rank = -1 };
    enum mq_lock lock = mq_lock_kind(function);
    const char *name = library != NULL ? mq_text_last_name(library) : "";
    bool is_musl = strncmp(name, "ld-musl-", 8) == 0
                   || strncmp(name, "libc.musl-", 10) == 0;
    int64_t owner;

    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (layouts[i].lock == lock && layouts[i].is_musl == is_musl
            && layouts[i].owner(memory, at, &owner)
            && owner > 0 && owner <= INT32_MAX) {
            found.kind = layouts[i].kind;
            found.thread = (int32_t)owner;
        }
    return found;
}
