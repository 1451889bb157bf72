/* seed.h - what makes a hash table's order nobody's choice */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SEED_H
#define MQ_SEED_H

#include <stdint.h>

/* A number that those who choose the keys of a table cannot know, so that they
 * cannot choose keys that all fall into one place of it.  Never 0.
 */
uint64_t mq_seed(void);

#endif
