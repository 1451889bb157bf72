/* library.h - what each DLL of this folder adds to the entry points
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef QUEUES_LIBRARY_H
#define QUEUES_LIBRARY_H

#include "queues/found.h"
#include "queues/reader.h"

/* An image, as far as symbols tell. */
struct image {
    mqs_image *image;
    const mqs_image_callbacks *callbacks;
    int status;                 /* of the latest check, -1 before the first */
};

/* The address of a variable, or 0. */
uint64_t image_find(const struct image *, const char *name);

struct view {
    struct reader reader;
    const struct image *image;
    uint64_t place;          /* where LIBRARY found its structures last; 0:
                                   not yet */
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
};

extern const struct library library;

#endif
