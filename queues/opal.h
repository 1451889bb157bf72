/* opal.h - objects and lists of Open MPI's OPAL */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUEUES_OPAL_H
#define QUEUES_OPAL_H

#include <stddef.h>

#include "queues/reader.h"

/* A class, as the objects of it begin with its address and it says its name. */
struct opal_class {
    const char *name;
    uint64_t size;
    uint64_t at;                /* 0: none was seen yet */
};

/* Whether WORD, with which an object begins, is the address of this class. */
int opal_is_of(struct reader *, uint64_t word, struct opal_class *);

/* Takes an item of a list; mqs_ok to go on, or an error. */
typedef int opal_take(void *context, uint64_t item);

/* Goes through the doubly linked list at ADDRESS, whose links must agree. */
int opal_list_walk(struct reader *, uint64_t address, opal_take *,
                   void *context);

/* Takes an object of a free list, with BYTES as its first SIZE bytes. */
typedef int opal_take_object(void *context, uint64_t at,
                             const unsigned char *bytes);

/* Goes through all objects, used or not, of the free list at ADDRESS, which
 * must be of this class.
 */
int opal_objects_walk(struct reader *, uint64_t address, struct opal_class *,
                      opal_take_object *, void *context);

#endif
