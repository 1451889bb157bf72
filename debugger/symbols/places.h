/* places.h - functions and source lines of an address
 *
 * Of an address that is inside functions that were inlined, each of these and
 * the function that they are in is a place of its own, from the innermost out.
 * Results are kept for all processes that have the module.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PLACES_H
#define MQ_PLACES_H

#include "symbols/module.h"

/* One function.  Texts are null where nothing is known. */
struct mq_place {
    const char *function;
    const char *file;
    int line;
    bool has_scope;             /* the debug information of it is known */
    Dwarf_Die scope;
    Dwarf_Die outer;            /* the function that it was inlined into, or
                                   itself */
};

/* All functions at an address. */
struct mq_place_list {
    struct mq_module *module;
    uint64_t address;
    uint64_t beginning;         /* of the function's symbol, 0 if it is not
                                   known */
    size_t count, room;         /* at least 1 */
    struct mq_place *places;
};

struct mq_places;

enum mq_result mq_places_create(struct mq_error *, struct mq_places **);
void mq_places_destroy(struct mq_places *);

/* The functions at ADDRESS of MODULE, in its own counting. */
enum mq_result mq_places_at(struct mq_places *, struct mq_module *,
                            uint64_t address, struct mq_error *,
                            const struct mq_place_list **list);

#endif
