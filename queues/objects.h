/* objects.h - libraries that a process has loaded */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUEUES_OBJECTS_H
#define QUEUES_OBJECTS_H

#include "queues/reader.h"

enum {
    OBJECTS_LIMIT = 512,
    OBJECT_NAME = 256           /* bytes of a path that are looked at */
};

/* A library: where it begins and ends, and its variables. */
struct object {
    uint64_t begin, end;
    uint64_t data, data_end;
};

/* Finds the library whose file's name begins with one of NAMES, which end with
 * a null.  DEBUG is the address of the linker's _r_debug.
 */
int object_find(struct reader *, uint64_t debug, const char *const *names,
                struct object *object);

#endif
