/* result.h - a place that a DLL shall write a result to
 *
 * It is filled with garbage and has guards around it:
 *
 *     place = result_make(&result, sizeof communicator, GARBAGE);
 *     ... the call ...
 *     result_take(&result, rule_overrun, &communicator);
 */
#ifndef MQCHECK_RESULT_H
#define MQCHECK_RESULT_H

#include <stddef.h>

#include "conformance/rules.h"

struct result {
    unsigned char *bytes;
    size_t size;
    int garbage;
};

/* The place, until it is taken.  GARBAGE is one byte. */
void *result_make(struct result *, size_t size, int garbage);

/* Copies the result out, after the last call that was watched.  RULE is broken
 * if that call wrote around the place.
 */
void result_take(struct result *, enum rule rule, void *copy);

#endif
