/* guarded_result.h - result buffers with guard zones
 *
 * It is filled with garbage and has guards around it:
 *
 *     place = guarded_make(&result, sizeof communicator, GARBAGE);
 *     ... the call ...
 *     guarded_take(&result, rule_overrun, &communicator);
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQCHECK_GUARDED_RESULT_H
#define MQCHECK_GUARDED_RESULT_H

#include <stddef.h>

#include "mqcheck/findings/rules.h"

struct guarded_result {
    unsigned char *bytes;
    size_t size;
    int garbage;
};

/* The place, until it is taken.  GARBAGE is one byte. */
void *guarded_make(struct guarded_result *, size_t size, int garbage);

/* Copies the result out, after the last call that was watched.  RULE is broken
 * if that call wrote around the place.
 */
void guarded_take(struct guarded_result *, enum rule rule, void *copy);

#endif
