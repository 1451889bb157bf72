/* Two variables and a word of flags, written bit by bit. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "acquire/words.h"

#include <string.h>

#include "acquire/mpi2dd.h"
#include "include/mpi2dd.h"
#include "target/memory.h"

enum { flags_at = 8 };          /* in MPI2DD_info */

/* A missing variable is nothing to complain about, a broken one is. */
static enum mq_result find(struct mq_target *target, const char *name,
                           struct mq_error *error, uint64_t *address)
{
    enum mq_result result = target->ops->find_symbol(target, name, error,
                                                     address);

    return result == mq_failed ? mq_failed : mq_ok;
}

enum mq_result mq_words_find(struct mq_target *target, struct mq_error *error,
                             struct mq_words *words)
{
    struct mq_words found = { 0 };
    struct mq_mpi2dd_info info;

    if (find(target, "MPIR_being_debugged", error, &found.being_debugged)
        != mq_ok
        || find(target, "MPIR_debug_gate", error, &found.debug_gate) != mq_ok)
        return mq_failed;
    if (mq_mpi2dd_read(target, NULL, &info) == mq_ok)
        found.info = info.address;
    if (found.being_debugged == 0 && found.debug_gate == 0 && found.info == 0)
        return mq_absent;
    *words = found;
    return mq_ok;
}

enum mq_result mq_words_move(const struct mq_words *words, int from, int to,
                             struct mq_error *error, struct mq_words *moved)
{
    struct mq_words found = *words;
    uint64_t *const places[] = {
        &found.being_debugged, &found.debug_gate, &found.info
    };
    size_t i;

    for (i = 0; i < sizeof places / sizeof places[0]; i++) {
        enum mq_result result = *places[i] == 0 ? mq_ok
            : mq_memory_move(from, to, *places[i], error, places[i]);

        if (result != mq_ok)
            return result;
    }
    *moved = found;
    return mq_ok;
}

static enum mq_result write_word(struct mq_target *target, uint64_t address,
                                 int size, uint64_t value,
                                 struct mq_error *error)
{
    unsigned char bytes[8] = { 0 };
    int i;

    if (target->ops->write == NULL)
        return mq_fail(error, "%s cannot be written to, so it does not learn "
                       "of the debugger", target->name);
    for (i = 0; i < size; i++)
        bytes[target->byte_order == mq_little_endian ? i : size - 1 - i] =
            (unsigned char)(value >> 8 * i);
    return target->ops->write(target, address, (size_t)size, bytes, error);
}

/* Makes the variable at ADDRESS 1 if it is 0; whether it was. */
static enum mq_result set_variable(struct mq_target *target, uint64_t address,
                                   struct mq_error *error, bool *was_clear)
{
    int size = target->sizes.int_size;
    uint64_t value;
    enum mq_result result = mq_target_read_unsigned(target, address, size,
                                                    error, &value);

    if (result == mq_ok && value == 0)
        result = write_word(target, address, size, 1, error);
    if (result == mq_ok)
        *was_clear = value == 0;
    return result;
}

static enum mq_result set_flags(struct mq_target *target, uint64_t info,
                                uint32_t flags, struct mq_error *error,
                                uint32_t *changed)
{
    uint64_t word;
    enum mq_result result = mq_target_read_unsigned(target, info + flags_at, 4,
                                                    error, &word);

    if (result == mq_ok && (flags & ~word) != 0)
        result = write_word(target, info + flags_at, 4, word | flags, error);
    if (result == mq_ok)
        *changed = flags & ~(uint32_t)word;
    return result;
}

/* The variables that say the same as a flag. */
static size_t variables_of(const struct mq_words *words, uint32_t flags,
                           uint32_t of[2], uint64_t at[2])
{
    size_t count = 0;

    if ((flags & MPI2DD_FLAG_BEING_DEBUGGED) && words->being_debugged != 0) {
        of[count] = MPI2DD_FLAG_BEING_DEBUGGED;
        at[count++] = words->being_debugged;
    }
    if ((flags & MPI2DD_FLAG_GATE) && words->debug_gate != 0) {
        of[count] = MPI2DD_FLAG_GATE;
        at[count++] = words->debug_gate;
    }
    return count;
}

enum mq_result mq_words_set(const struct mq_words *words,
                            struct mq_target *target, uint32_t flags,
                            struct mq_error *error,
                            struct mq_words_change *change)
{
    uint32_t of[2];
    uint64_t at[2];
    size_t i, count = variables_of(words, flags, of, at);

    memset(change, 0, sizeof *change);
    for (i = 0; i < count; i++) {
        bool was_clear = false;

        if (set_variable(target, at[i], error, &was_clear) != mq_ok)
            return mq_failed;
        change->variables |= was_clear ? of[i] : 0;
    }
    return words->info == 0 ? mq_ok
           : set_flags(target, words->info, flags, error, &change->flags);
}

enum mq_result mq_words_reset(const struct mq_words *words,
                              struct mq_target *target,
                              const struct mq_words_change *change,
                              struct mq_error *error)
{
    uint32_t of[2];
    uint64_t at[2], word;
    size_t i, count = variables_of(words, change->variables, of, at);

    for (i = 0; i < count; i++) {
        if (write_word(target, at[i], target->sizes.int_size, 0, error)
            != mq_ok)
            return mq_failed;
    }
    if (change->flags == 0)
        return mq_ok;
    if (mq_target_read_unsigned(target, words->info + flags_at, 4, error,
                                &word) != mq_ok)
        return mq_failed;
    return write_word(target, words->info + flags_at, 4,
                      word & ~(uint64_t)change->flags, error);
}
