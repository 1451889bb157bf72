/* lookup_cache.c - cache of symbol and type look-ups per image
 *
 * Look-ups are noted once each, and asked again of the next process.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/lookup_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum { most_lookups = 4096 };   /* then an image serves one process only */

static bool is_noted(const struct mq_lookup_cache *cache,
                     const struct mq_lookup *found, const char *name)
{
    for (size_t i = 0; i < cache->count; i++) {
        const struct mq_lookup *it = &cache->all[i];

        if (it->kind == found->kind && it->type == found->type
            && mq_text_is_same(it->name, name))
            return true;
    }
    return false;
}

void mq_lookup_cache_note(struct mq_lookup_cache *cache,
                          const struct mq_lookup *found, const char *name)
{
    struct mq_lookup note = *found;
    struct mq_error why;

    if (cache->is_incomplete || is_noted(cache, found, name))
        return;
    note.name = name != NULL ? strdup(name) : NULL;
    if (cache->count == most_lookups || (name != NULL && note.name == NULL)
        || mq_array_add(&cache->all, sizeof note, &cache->count,
                        &cache->room, &note, "for look-ups", &why) != mq_ok) {
        free(note.name);
        cache->is_incomplete = true;
    }
}

void mq_lookup_cache_deinit(struct mq_lookup_cache *cache)
{
    while (cache->count > 0)
        free(cache->all[--cache->count].name);
    free(cache->all);
    memset(cache, 0, sizeof *cache);
}

/* ---- Another process ----------------------------------------------------- */

/* The type of TARGET that corresponds to IT's in the process before; mq_failed
 * if two names of one type are of two here.
 */
static enum mq_result find_type(const struct mq_lookup *it,
                                struct mq_target *target)
{
    const struct mq_target_type *found = NULL;
    struct mqs_type_ *type = it->type;
    enum mq_result result = mq_target_find_type(target, it->name, NULL, &found);

    if (result != mq_ok || type == NULL)
        return result;
    if (type->next_type != NULL && type->next_type != found)
        return mq_failed;
    type->next_type = found;
    return mq_ok;
}

static enum mq_result ask(const struct mq_lookup *it, struct mq_target *target,
                          uint64_t *value)
{
    switch (it->kind) {
    case mq_lookup_function:
        return mq_target_find_function(target, it->name, NULL, value);
    case mq_lookup_symbol:
        return mq_target_find_symbol(target, it->name, NULL, value);
    case mq_lookup_type:
        return find_type(it, target);
    case mq_lookup_member:
        return mq_target_find_member(target, it->type->next_type, it->name,
                                     NULL, value);
    case mq_lookup_size:
        return mq_target_type_size(target, it->type->next_type, NULL, value);
    }
    return mq_failed;
}

/* A type's own look-up precedes those of its members. */
static bool answers_alike(const struct mq_lookup_cache *cache,
                          struct mq_target *target)
{
    for (size_t i = 0; i < cache->count; i++) {
        const struct mq_lookup *it = &cache->all[i];
        uint64_t value = 0;
        enum mq_result result = ask(it, target, &value);

        if (result == mq_failed || it->is_found != (result == mq_ok)
            || it->value != value)
            return false;
    }
    return true;
}

bool mq_lookup_cache_rebind(const struct mq_lookup_cache *cache,
                            struct mqs_type_ *types, struct mq_target *target)
{
    for (struct mqs_type_ *type = types; type != NULL; type = type->next)
        type->next_type = NULL;
    if (cache->is_incomplete || !answers_alike(cache, target))
        return false;
    for (struct mqs_type_ *type = types; type != NULL; type = type->next)
        type->type = type->next_type;
    return true;
}
