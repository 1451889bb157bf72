/* array.h - growing arrays and sorted arrays
 *
 * An array is a pointer, its count and its room, which are members of whatever
 * struct they belong to: null, 0 and 0 are an empty one, and free ends it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ARRAY_H
#define MQ_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Makes room for at least NEEDED elements of SIZE bytes.  ARRAY is the address
 * of the pointer to the first; the elements may move, and new room is not
 * initialised.  An array that grows one by one moves each element a constant
 * number of times on average.  Out of memory while doing WHAT, as for
 * mq_fail_memory, leaves the array as it was.
 */
enum mq_result mq_array_reserve(void *array, size_t size, size_t needed,
                                size_t *room, const char *what,
                                struct mq_error *);

/* The same for one more than *COUNT elements; the last is ELEMENT. */
enum mq_result mq_array_add(void *array, size_t size, size_t *count,
                            size_t *room, const void *element,
                            const char *what, struct mq_error *);

/* Of COUNT elements of SIZE bytes that are sorted by the uint64_t at offset
 * PLACE of each, how many have one that is not above VALUE.
 */
size_t mq_array_upto(const void *array, size_t count, size_t size,
                     size_t place, uint64_t value);

/* The same of those that are below VALUE. */
size_t mq_array_below(const void *array, size_t count, size_t size,
                      size_t place, uint64_t value);

#endif
