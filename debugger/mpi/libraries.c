/* libraries.c - what the name of a library says of it */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi/libraries.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

static const struct {
    int kind;
    const char *pattern;
} libraries[] = {
#define LIBRARY(kinds, name) { kinds, name },
#include "mpi/libraries.def"
};

int mq_library_kind(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    int kind = 0;

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        if (fnmatch(libraries[i].pattern, name, 0) == 0)
            kind |= libraries[i].kind;
    return kind;
}
