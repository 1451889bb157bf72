/* nearest.h - closest match for a misspelled name */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_NEAREST_H
#define MQ_NEAREST_H

#include <stddef.h>

/* How many of the first LENGTH characters of WORD must be changed, left out,
 * put in, or exchanged with the next one to make it NAME; 0 too if one of them,
 * which has at least three characters, begins the other.  More than a reader
 * would take for a slip is SIZE_MAX.
 */
size_t mq_slips(const char *word, size_t length, const char *name);

#endif
