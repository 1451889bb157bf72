/* code_patch.c - temporary code patches (breakpoints) */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "target/code_patch.h"

#include <string.h>

enum mq_result mq_code_patch_apply(const struct mq_code_patch *patch,
                                   struct mq_target *memory,
                                   struct mq_patch_guard *guard,
                                   struct mq_error *error)
{
    if (guard->notify(guard, memory, patch, error) != mq_ok)
        return mq_failed;
    return memory->ops->write(memory, patch->address, patch->length,
                              patch->after, error);
}

enum mq_result mq_code_patch_undo(const struct mq_code_patch *patch,
                                  struct mq_target *memory,
                                  struct mq_error *error)
{
    unsigned char now[sizeof patch->after];

    if (patch->length == 0)
        return mq_ok;
    if (memory->ops->read(memory, patch->address, patch->length, error, now)
        != mq_ok)
        return mq_failed;
    return memcmp(now, patch->after, patch->length) != 0 ? mq_ok
           : memory->ops->write(memory, patch->address, patch->length,
                                patch->before, error);
}
