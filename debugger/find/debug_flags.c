/* debug_flags.c - MPIR_being_debugged, MPIR_debug_gate, MPI2DD flags */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "find/debug_flags.h"

#include "find/mpi2dd_read.h"
#include "find/variables.h"
#include "include/mpi2dd.h"

enum { flags_at = 8 };          /* in MPI2DD_info */

/* A missing variable is nothing to complain about, a broken one is. */
static enum mq_result find(struct mq_target *target, const char *name,
                           struct mq_error *error, uint64_t *address)
{
    enum mq_result result = mq_target_find_symbol(target, name, error, address);

    return result == mq_failed ? mq_failed : mq_ok;
}

enum mq_result mq_debug_flags_find(struct mq_target *target,
                                   struct mq_error *error,
                                   struct mq_debug_flags *debug_flags)
{
    struct mq_debug_flags found = { 0 };
    struct mq_mpi2dd_info info;

    if (find(target, "MPIR_being_debugged", error, &found.being_debugged)
        != mq_ok
        || find(target, "MPIR_debug_gate", error, &found.debug_gate) != mq_ok)
        return mq_failed;
    if (mq_mpi2dd_read(target, NULL, &info) == mq_ok)
        found.info = info.address;
    if (found.being_debugged == 0 && found.debug_gate == 0 && found.info == 0)
        return mq_absent;
    *debug_flags = found;
    return mq_ok;
}

enum mq_result mq_debug_flags_locate(struct mq_loaded *files, int pid,
                                     struct mq_target *memory,
                                     struct mq_error *error,
                                     struct mq_debug_flags *debug_flags)
{
    uint64_t places[mq_variables];
    struct mq_debug_flags found;

    if (mq_variables_find(files, pid, mq_loaded_to_write, error, places)
        != mq_ok)
        return mq_failed;
    found.being_debugged = places[mq_mpir_being_debugged];
    found.debug_gate = places[mq_mpir_debug_gate];
    found.info = places[mq_variable_info];
    if (found.info != 0 && !mq_mpi2dd_is_at(memory, found.info))
        found.info = 0;
    if (found.being_debugged == 0 && found.debug_gate == 0 && found.info == 0)
        return mq_absent;
    *debug_flags = found;
    return mq_ok;
}

static enum mq_result write_word(struct mq_target *target, uint64_t address,
                                 int size, uint64_t value,
                                 struct mq_error *error)
{
    unsigned char bytes[8] = { 0 };

    if (target->ops->write == NULL)
        return mq_fail(error, "cannot write to %s to announce the debugger",
                       target->name);
    for (int i = 0; i < size; i++)
        bytes[target->byte_order == mq_little_endian ? i : size - 1 - i] =
            (unsigned char)(value >> 8 * i);
    return target->ops->write(target, address, (size_t)size, bytes, error);
}

/* The variables that say the same as a flag.  A gate is open before its process
 * can learn that it is being debugged, so that none waits for it.
 */
static size_t variables_of(const struct mq_debug_flags *debug_flags,
                           uint32_t flags, uint32_t of[2], uint64_t at[2])
{
    size_t count = 0;

    if ((flags & MPI2DD_FLAG_GATE) && debug_flags->debug_gate != 0) {
        of[count] = MPI2DD_FLAG_GATE;
        at[count++] = debug_flags->debug_gate;
    }
    if ((flags & MPI2DD_FLAG_BEING_DEBUGGED)
        && debug_flags->being_debugged != 0) {
        of[count] = MPI2DD_FLAG_BEING_DEBUGGED;
        at[count++] = debug_flags->being_debugged;
    }
    return count;
}

static enum mq_result read_flags(struct mq_target *target,
                                 const struct mq_debug_flags *debug_flags,
                                 struct mq_error *error, uint64_t *flags)
{
    return mq_target_read_unsigned(target, debug_flags->info + flags_at, 4,
                                   error, flags);
}

enum mq_result mq_debug_flags_compare(const struct mq_debug_flags *debug_flags,
                                      struct mq_target *target, uint32_t flags,
                                      struct mq_error *error,
                                      struct mq_flags_change *change)
{
    struct mq_flags_change missing = { 0, 0 };
    uint32_t of[2];
    uint64_t at[2], value;
    size_t i, count = variables_of(debug_flags, flags, of, at);

    for (i = 0; i < count; i++) {
        if (mq_target_read_unsigned(target, at[i], target->sizes.int_size,
                                    error, &value) != mq_ok)
            return mq_failed;
        missing.variables |= value == 0 ? of[i] : 0;
    }
    if (debug_flags->info != 0) {
        if (read_flags(target, debug_flags, error, &value) != mq_ok)
            return mq_failed;
        missing.flags = flags & ~(uint32_t)value;
    }
    *change = missing;
    return mq_ok;
}

enum mq_result mq_debug_flags_write(const struct mq_debug_flags *debug_flags,
                                    struct mq_target *target,
                                    const struct mq_flags_change *change,
                                    bool is_set, struct mq_error *error)
{
    uint32_t of[2];
    uint64_t at[2], value;
    size_t i, count = variables_of(debug_flags, change->variables, of, at);

    for (i = 0; i < count; i++) {
        int size = target->sizes.int_size;

        if (mq_target_read_unsigned(target, at[i], size, error, &value)
            != mq_ok
            || (value == !is_set
                && write_word(target, at[i], size, is_set, error) != mq_ok))
            return mq_failed;
    }
    if (change->flags == 0)
        return mq_ok;
    if (read_flags(target, debug_flags, error, &value) != mq_ok)
        return mq_failed;
    return write_word(target, debug_flags->info + flags_at, 4,
                      is_set ? value | change->flags
                             : value & ~(uint64_t)change->flags, error);
}
