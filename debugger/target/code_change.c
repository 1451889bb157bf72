/* code_change.c - temporary code patches (breakpoints) */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/code_change.h"

#include <string.h>

enum mq_result mq_code_change_make(const struct mq_code_change *change,
                                   struct mq_target *memory,
                                   struct mq_guard *guard,
                                   struct mq_error *error)
{
    if (guard->tell(guard, memory, change, error) != mq_ok)
        return mq_failed;
    return memory->ops->write(memory, change->address, change->length,
                              change->after, error);
}

enum mq_result mq_code_change_undo(const struct mq_code_change *change,
                                   struct mq_target *memory,
                                   struct mq_error *error)
{
    unsigned char now[sizeof change->after];

    if (change->length == 0)
        return mq_ok;
    if (memory->ops->read(memory, change->address, change->length, error, now)
        != mq_ok)
        return mq_failed;
    return memcmp(now, change->after, change->length) != 0 ? mq_ok
           : memory->ops->write(memory, change->address, change->length,
                                change->before, error);
}
