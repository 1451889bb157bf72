/* What a build without elfutils has instead: nothing. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stddef.h>

#include "direct/direct.h"

const char *mq_direct_library(void)
{
    return NULL;
}

enum mq_result mq_direct_create(struct mq_error *error,
                                struct mq_direct **result)
{
    (void)error, (void)result;
    return mq_absent;
}

void mq_direct_destroy(struct mq_direct *direct)
{
    (void)direct;
}

enum mq_result mq_direct_open(struct mq_direct *direct,
                              const struct mq_owner *process,
                              const char *types, struct mq_error *error,
                              struct mq_target **target)
{
    (void)direct, (void)process, (void)types, (void)error, (void)target;
    return mq_absent;
}

enum mq_result mq_direct_open_core(struct mq_direct *direct,
                                   const char *program, const char *place,
                                   const char *types, struct mq_error *error,
                                   struct mq_target **target)
{
    (void)direct, (void)program, (void)place, (void)types, (void)error;
    (void)target;
    return mq_absent;
}
