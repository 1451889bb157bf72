/* dll_cache.c - loaded DLLs and their open images
 *
 * DLLs by their choice, and images by their processes.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "read/dll_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

void mq_dll_cache_close_images(struct mq_dll_cache *cache)
{
    while (cache->image_count > 0)
        mq_dll_image_destroy(cache->images[--cache->image_count].image);
}

void mq_dll_cache_clear(struct mq_dll_cache *cache)
{
    mq_dll_cache_close_images(cache);
    while (cache->choice_count > 0) {
        struct mq_dll_chosen *it = &cache->choices[--cache->choice_count];

        mq_dll_unload(it->dll);
        free(it->image);
        free(it->asked);
    }
    while (cache->reader_count > 0)
        mq_dll_unload(cache->readers[--cache->reader_count]);
    free(cache->images);
    free(cache->choices);
    memset(cache, 0, sizeof *cache);
}

/* ---- DLLs -------------------------------------------------------------- */

/* Keeps DLL together with what it was chosen for. */
static enum mq_result keep(struct mq_dll_cache *cache, const char *asked,
                           const char *image, struct mq_dll *dll,
                           struct mq_error *error)
{
    struct mq_dll_chosen it = {
        dll, strdup(image), asked != NULL ? strdup(asked) : NULL
    };

    if (it.image != NULL && (asked == NULL || it.asked != NULL)
        && mq_array_add(&cache->choices, sizeof it, &cache->choice_count,
                        &cache->choice_room, &it, "choosing a DLL", error)
           == mq_ok)
        return mq_ok;
    mq_dll_unload(dll);
    free(it.image);
    free(it.asked);
    return mq_fail_memory(error, "choosing a DLL");
}

enum mq_result mq_dll_cache_choose(struct mq_dll_cache *cache,
                                   const struct mq_dll_choice *choice,
                                   struct mq_target *target,
                                   struct mq_error *error,
                                   struct mq_dll **dll)
{
    struct mq_dll *chosen;

    cache->latest = *choice;
    for (size_t i = 0; i < cache->choice_count; i++) {
        const struct mq_dll_chosen *it = &cache->choices[i];

        if (mq_text_is_same(it->image, target->image)
            && mq_text_is_same(it->asked, choice->asked)) {
            *dll = it->dll;
            return mq_ok;
        }
    }
    if (mq_dll_choose(choice, target, error, &chosen) != mq_ok
        || keep(cache, choice->asked, target->image, chosen, error) != mq_ok)
        return mq_failed;
    *dll = chosen;
    return mq_ok;
}

/* A reader that is missing or does not load is logged, and not used. */
void mq_dll_cache_load_readers(struct mq_dll_cache *cache)
{
    if (cache->has_readers || cache->latest.is_users)
        return;
    cache->has_readers = true;
    for (size_t i = 0; mq_dll_readers[i] != NULL; i++)
        if (mq_dll_reader(&cache->latest, mq_dll_readers[i],
                          &cache->readers[cache->reader_count]) == mq_ok)
            cache->reader_count++;
}

/* ---- Images ------------------------------------------------------------ */

static struct mq_dll_open *find_own(const struct mq_dll_cache *cache,
                                    const struct mq_dll *dll, int pid)
{
    for (size_t i = 0; i < cache->image_count; i++)
        if (cache->images[i].pid == pid && cache->images[i].dll == dll)
            return &cache->images[i];
    return NULL;
}

/* The latest image of another process that serves TARGET, too. */
static mqs_image *find_shared(const struct mq_dll_cache *cache,
                              const struct mq_dll *dll,
                              struct mq_target *target)
{
    for (size_t i = cache->image_count; i > 0; i--) {
        const struct mq_dll_open *it = &cache->images[i - 1];

        if (it->pid != target->pid && it->dll == dll
            && mq_text_is_same(mq_dll_image_name(it->image), target->image))
            return mq_dll_image_adopt(it->image, dll, target) ? it->image
                                                              : NULL;
    }
    return NULL;
}

/* Opens the image anew and keeps it in the place of OWN, or in a new one. */
static enum mq_result open_anew(struct mq_dll_cache *cache,
                                struct mq_dll_open *own, struct mq_dll *dll,
                                struct mq_target *target,
                                struct mq_error *error, mqs_image **image)
{
    struct mq_dll_open made = { NULL, dll, target->pid };
    enum mq_result result;

    if (own != NULL) {
        mq_dll_image_destroy(own->image);
        *own = cache->images[--cache->image_count];
    }
    if (mq_array_reserve(&cache->images, sizeof made, cache->image_count + 1,
                         &cache->image_room, "while opening an image", error)
        != mq_ok)
        return mq_failed;
    result = mq_dll_image_create(dll, target, error, &made.image);
    if (result != mq_ok)
        return result;
    cache->images[cache->image_count++] = made;
    *image = made.image;
    return mq_ok;
}

enum mq_result mq_dll_cache_open(struct mq_dll_cache *cache,
                                 struct mq_dll *dll, struct mq_target *target,
                                 struct mq_error *error, mqs_image **image)
{
    struct mq_dll_open *own = find_own(cache, dll, target->pid);
    mqs_image *shared;

    if (own != NULL && mq_dll_image_adopt(own->image, dll, target)) {
        *image = own->image;
        return mq_ok;
    }
    shared = find_shared(cache, dll, target);
    if (shared == NULL)
        return open_anew(cache, own, dll, target, error, image);
    *image = shared;
    return mq_ok;
}
