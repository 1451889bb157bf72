/* store.h - memory allocation through the debugger */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUEUES_STORE_H
#define QUEUES_STORE_H

#include <stddef.h>

#include "mpi_interface.h"

/* The one global that the interface forces. */
extern const mqs_basic_callbacks *store_basic;

/* SIZE bytes, all zero, or null; and back.  BLOCK may be null. */
void *store_take(size_t size);
void store_give(void *block);

/* Makes room for one more of COUNT items of SIZE bytes in *ARRAY, and never
 * more than for LIMIT: mqs_ok or an error.
 */
int store_grow(void *array, size_t size, size_t count, size_t limit,
               size_t *room);

#endif
