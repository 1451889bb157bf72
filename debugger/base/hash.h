/* hash.h - hash functions
 *
 * Keys may be chosen to have the same hash: what must not fall together begins
 * where nobody knows (mq_seed), or is compared.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HASH_H
#define MQ_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Of bytes behind what HASH is of: FNV-1a with 64 bits, which mqdumps of any
 * two machines agree on if they begin with MQ_HASH_BEGIN.
 */
#define MQ_HASH_BEGIN UINT64_C(0xcbf29ce484222325)
uint64_t mq_hash_bytes(uint64_t hash, const void *bytes, size_t length);

/* Of a number behind what HASH is of. */
uint64_t mq_hash_number(uint64_t hash, uint64_t number);

/* A number unknown to the source of the keys, so that keys cannot be chosen to
 * have the same hash.  Never 0.
 */
uint64_t mq_seed(void);

#endif
