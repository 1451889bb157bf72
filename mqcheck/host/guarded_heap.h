/* guarded_heap.h - heap with guard zones around its blocks
 *
 * Blocks are filled with garbage, have guards around them, and are kept after
 * they were given back, so that later writes show.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQCHECK_GUARDED_HEAP_H
#define MQCHECK_GUARDED_HEAP_H

#include <stddef.h>

#include "mqcheck/findings/rules.h"

/* As mqs_malloc and mqs_free. */
void *store_allocate(size_t size);
void store_free(void *block);

/* Looks for damage, after the call that WHERE names: at all guards if there are
 * few blocks, else at those of the latest blocks and of some others.
 */
void store_inspect(const char *where);

/* Whether LENGTH bytes can be written at PLACE: if that is in the store, they
 * must be in one block.
 */
int store_has_room(const void *place, size_t length);

/* Looks at all guards, forgets all blocks, and says how many of them were not
 * given back.
 */
size_t store_reset(const char *where);

/* The NTH allocation from now on answers null; 0 for none. */
void store_fail(unsigned long nth);

/* Whether that has happened, and how many there were since. */
int store_has_failed(void);
unsigned long store_allocations(void);

/* A place for a result, filled with garbage and with guards around it:
 *
 *     place = guarded_make(&result, sizeof communicator, GARBAGE);
 *     ... the call ...
 *     guarded_take(&result, rule_overrun, call_under_way, &communicator);
 */
struct guarded_result {
    unsigned char *bytes;
    size_t size;
    int garbage;
};

/* The place, until it is taken.  GARBAGE is one byte. */
void *guarded_make(struct guarded_result *, size_t size, int garbage);

/* Copies the result out, after the last call that was watched.  RULE is broken
 * if that call, WHERE, wrote around the place.
 */
void guarded_take(struct guarded_result *, enum rule rule, const char *where,
                  void *copy);

#endif
