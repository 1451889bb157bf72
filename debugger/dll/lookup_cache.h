/* lookup_cache.h - cache of symbol and type look-ups per image
 *
 * mqs_setup_image is meant to be called once for each image, and an image to
 * serve all processes that are instances of it.  DLLs keep the addresses of
 * symbols with the image.  So two processes share one if every look-up that the
 * DLL has made has the same answer in both: the same program and libraries, all
 * loaded at the same addresses.  Where addresses are random, each process of a
 * position-independent program has an image of its own.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LOOKUP_CACHE_H
#define MQ_LOOKUP_CACHE_H

#include <stdbool.h>

#include "mpi_interface.h"
#include "target/target.h"

/* A type that a DLL has looked up; held by the image. */
struct mqs_type_ {
    struct mqs_type_ *next;
    struct mqs_image_ *image;
    const struct mq_target_type *type;
    const struct mq_target_type *next_type;     /* of the next process, while
                                                   that is compared */
};

enum mq_lookup_kind {
    mq_lookup_function,
    mq_lookup_symbol,
    mq_lookup_type,
    mq_lookup_member,           /* of a type */
    mq_lookup_size
};

struct mq_lookup {
    enum mq_lookup_kind kind;
    struct mqs_type_ *type;     /* that was found, or was asked */
    char *name;                 /* null for a size */
    bool is_found;
    uint64_t value;             /* address, offset or size */
};

/* All zero is none. */
struct mq_lookup_cache {
    size_t count, room;
    struct mq_lookup *all;
    bool is_incomplete;         /* there were too many, or one had no answer */
};

/* Notes a look-up of NAME, which is copied, unless it is noted already.  The
 * name in FOUND is not looked at.
 */
void mq_lookup_cache_note(struct mq_lookup_cache *,
                          const struct mq_lookup *found, const char *name);

/* Whether TARGET answers all of them as they were answered; then TYPES, all of
 * the image's, are those of TARGET.
 */
bool mq_lookup_cache_rebind(const struct mq_lookup_cache *,
                            struct mqs_type_ *types, struct mq_target *target);

void mq_lookup_cache_deinit(struct mq_lookup_cache *);

#endif
