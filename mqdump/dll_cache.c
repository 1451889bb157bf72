/* The DLL that was used last, kept as long as it is the right one. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqdump/dll_cache.h"

#include <stdlib.h>
#include <string.h>

void mq_dll_cache_clear(struct mq_dll_cache *cache)
{
    mq_dll_image_destroy(cache->open);
    mq_dll_unload(cache->dll);
    free(cache->image);
    free(cache->asked);
    memset(cache, 0, sizeof *cache);
}

static bool same_text(const char *one, const char *other)
{
    return one != NULL && other != NULL ? strcmp(one, other) == 0
                                        : one == other;
}

/* Keeps DLL together with what it was chosen for. */
static enum mq_result keep(struct mq_dll_cache *cache, const char *asked,
                           const char *image, struct mq_dll *dll,
                           struct mq_error *error)
{
    cache->dll = dll;
    cache->image = strdup(image);
    cache->asked = asked != NULL ? strdup(asked) : NULL;
    if (cache->image != NULL && (asked == NULL || cache->asked != NULL))
        return mq_ok;
    mq_dll_cache_clear(cache);
    return mq_fail_memory(error, "choosing a DLL");
}

enum mq_result mq_dll_cache_choose(struct mq_dll_cache *cache,
                                   const struct mq_dll_choice *choice,
                                   struct mq_target *target,
                                   struct mq_error *error,
                                   struct mq_dll **dll)
{
    struct mq_dll *chosen;

    if (!same_text(cache->image, target->image) ||
        !same_text(cache->asked, choice->asked)) {
        mq_dll_cache_clear(cache);
        if (mq_dll_choose(choice, target, error, &chosen) != mq_ok ||
            keep(cache, choice->asked, target->image, chosen, error) != mq_ok)
            return mq_failed;
    }
    *dll = cache->dll;
    return mq_ok;
}
