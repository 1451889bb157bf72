/* lock_functions.c - functions in which threads wait for others */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi/lock_functions.h"

#include <fnmatch.h>
#include <stddef.h>

static const struct {
    enum mq_lock kind;
    const char *pattern;
} locks[] = {
#define LOCK(kind, pattern) { mq_lock_##kind, pattern },
#include "mpi/lock_functions.def"
};

enum mq_lock mq_lock_kind(const char *function)
{
    for (size_t i = 0; function != NULL && i < sizeof locks / sizeof locks[0];
         i++)
        if (fnmatch(locks[i].pattern, function, 0) == 0)
            return locks[i].kind;
    return mq_lock_none;
}
