/* dll_cache.h - the DLL that was used last
 *
 * The processes of a job mostly share an image, and so a DLL.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DLL_CACHE_H
#define MQ_DLL_CACHE_H

#include "dll/choice.h"
#include "dll/walk.h"

struct mq_dll_cache {
    struct mq_dll *dll;         /* null: none yet; and chosen */
    char *image;                /* for this image */
    char *asked;                /* when this file was asked for, or null */
    mqs_image *open;            /* of DLL, that was used last, or null */
};

/* Chooses a DLL for TARGET, or gives the one that was chosen for another target
 * of the same image.  It lives until the next call.  All zero is a cache.
 */
enum mq_result mq_dll_cache_choose(struct mq_dll_cache *,
                                   const struct mq_dll_choice *,
                                   struct mq_target *target, struct mq_error *,
                                   struct mq_dll **dll);

/* Closes the image and unloads the DLL; the cache is empty then. */
void mq_dll_cache_clear(struct mq_dll_cache *);

#endif
