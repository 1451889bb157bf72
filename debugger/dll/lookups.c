/* lookups.c - cache of symbol and type look-ups per image
 *
 * Look-ups are noted once each, and asked again of the next process.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/lookups.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

enum { most_lookups = 4096 };   /* then an image serves one process only */

static bool is_noted(const struct mq_lookups *lookups,
                     const struct mq_lookup *found, const char *name)
{
    for (size_t i = 0; i < lookups->count; i++) {
        const struct mq_lookup *it = &lookups->all[i];

        if (it->kind == found->kind && it->type == found->type
            && mq_text_is_same(it->name, name))
            return true;
    }
    return false;
}

void mq_lookups_note(struct mq_lookups *lookups, const struct mq_lookup *found,
                     const char *name)
{
    struct mq_lookup note = *found;
    struct mq_error why;

    if (lookups->is_incomplete || is_noted(lookups, found, name))
        return;
    note.name = name != NULL ? strdup(name) : NULL;
    if (lookups->count == most_lookups || (name != NULL && note.name == NULL)
        || mq_array_add(&lookups->all, sizeof note, &lookups->count,
                        &lookups->room, &note, "for look-ups", &why) != mq_ok) {
        free(note.name);
        lookups->is_incomplete = true;
    }
}

void mq_lookups_deinit(struct mq_lookups *lookups)
{
    while (lookups->count > 0)
        free(lookups->all[--lookups->count].name);
    free(lookups->all);
    memset(lookups, 0, sizeof *lookups);
}

/* ---- Another process ----------------------------------------------------- */

/* What type of TARGET stands for IT's in the process before; mq_failed if two
 * names of one type are of two here.
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

/* A type's own look-up stands before those of its members. */
static bool answers_alike(const struct mq_lookups *lookups,
                          struct mq_target *target)
{
    for (size_t i = 0; i < lookups->count; i++) {
        const struct mq_lookup *it = &lookups->all[i];
        uint64_t value = 0;
        enum mq_result result = ask(it, target, &value);

        if (result == mq_failed || it->is_found != (result == mq_ok)
            || it->value != value)
            return false;
    }
    return true;
}

bool mq_lookups_move(const struct mq_lookups *lookups, struct mqs_type_ *types,
                     struct mq_target *target)
{
    for (struct mqs_type_ *type = types; type != NULL; type = type->next)
        type->next_type = NULL;
    if (lookups->is_incomplete || !answers_alike(lookups, target))
        return false;
    for (struct mqs_type_ *type = types; type != NULL; type = type->next)
        type->type = type->next_type;
    return true;
}
