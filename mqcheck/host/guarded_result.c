/* guarded_result.c - result buffers with guard zones */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/host/guarded_result.h"

#include <stdlib.h>
#include <string.h>

#include "mqcheck/findings/finding.h"
#include "mqcheck/host/entry_call.h"

enum { GUARD = 256 };

void *guarded_make(struct guarded_result *result, size_t size, int garbage)
{
    result->bytes = malloc(size + (size_t)2 * GUARD);
    if (result->bytes == NULL)
        give_up("out of memory");
    memset(result->bytes, garbage, size + (size_t)2 * GUARD);
    result->size = size;
    result->garbage = garbage;
    return result->bytes + GUARD;
}

static int is_garbage(const struct guarded_result *result, size_t place)
{
    size_t i = 0;

    while (i < GUARD && result->bytes[place + i] == result->garbage)
        i++;
    return i == GUARD;
}

void guarded_take(struct guarded_result *result, enum rule rule, void *copy)
{
    keeps(rule, is_garbage(result, 0), "%s wrote in front of its result of %zu "
          "bytes", call_under_way, result->size);
    keeps(rule, is_garbage(result, GUARD + result->size),
          "%s wrote behind its result of %zu bytes", call_under_way,
          result->size);
    memcpy(copy, result->bytes + GUARD, result->size);
    free(result->bytes);
    result->bytes = NULL;
}
