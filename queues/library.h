/* library.h - interface between entry points and MPI libraries */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUEUES_LIBRARY_H
#define QUEUES_LIBRARY_H

#include <stddef.h>

#include "queues/found.h"
#include "queues/mpich.h"
#include "queues/reader.h"

/* Where things were in the process that was read last; it may have been this
 * one, and each must prove again what it is.
 */
struct landmarks {
    uint64_t worker;            /* its tag matching; 0: nothing is known */
    int rank;                   /* of the process */
    struct mpich_objects objects;
};

/* An image, as far as symbols show.  Debuggers may destroy it before its
 * processes, which keep it until the last of them is destroyed; the callbacks
 * are not called then.
 */
struct image {
    mqs_image *image;
    const mqs_image_callbacks *callbacks;
    size_t uses;                /* by the debugger and by processes */
    int is_destroyed;           /* by the debugger */
    int status;                 /* of the latest check, -1 before the first */
    struct landmarks landmarks; /* LIBRARY's */
};

/* The address of a variable, or 0. */
uint64_t image_find(const struct image *, const char *name);

struct view {
    struct reader reader;
    struct image *image;
    struct landmarks landmarks; /* of this process, if it was read */
    struct found found;
};

struct library {
    const char *version;        /* for people */

    /* mqs_ok or an error. */
    int (*check_image)(const struct image *);

    /* Fills in what is found, which is empty: mqs_ok or an error.  *MESSAGE is
     * what the user should know, a format that takes the process's name.
     */
    int (*find)(struct view *, const char **message);

    /* As Mqs_request_mark, of a process that was read; null: it knows none. */
    uint64_t (*mark)(struct view *, uint64_t handle);

    /* As Mqs_comm_members, or null. */
    int (*members)(struct view *, uint64_t handle, uint32_t size,
                   mqs_taddr_t *worlds, int *ranks);
};

extern const struct library library;

#endif
