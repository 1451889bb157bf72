/* libraries.c - classification of libraries, and of functions that wait */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi/libraries.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
    int kind;
    const char *pattern;
} libraries[] = {
#define LIBRARY(kinds, name) { kinds, name },
#include "mpi/libraries.def"
};

/* Whether NAME is like a PATTERN of the shell's.  Most differ where they begin.
 */
static bool is_like(const char *pattern, const char *name)
{
    for (; *pattern != '*' && *pattern != '?' && *pattern != '[';
         pattern++, name++) {
        if (*pattern != *name)
            return false;
        if (*name == '\0')
            return true;
    }
    return fnmatch(pattern, name, 0) == 0;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

const char *mq_library_mpi(const char *path)
{
    static const struct {
        const char *pattern, *name;
    } mpis[] = {
        { "libmpi.so.[24]0*", "Open MPI" }, { "libmpich.so*", "MPICH" },
        { "libmpi_cray.so*", "Cray MPICH" }, { "libmpi_gnu*", "Cray MPICH" }
    };

    for (size_t i = 0; i < sizeof mpis / sizeof mpis[0]; i++)
        if (is_like(mpis[i].pattern, name_of(path)))
            return mpis[i].name;
    return name_of(path);
}

int mq_library_kind(const char *path)
{
    const char *name = name_of(path);
    int kind = 0;

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        if (is_like(libraries[i].pattern, name))
            kind |= libraries[i].kind;
    return kind;
}

/* ---- Library functions that wait outside MPI ---------------------------- */

static const struct {
    enum mq_waiting peer;
    const char *library, *function;
} functions[] = {
#define WAITING(peer, library, function) \
    { mq_waiting_##peer, library, function },
#include "mpi/waiting.def"
};

enum mq_waiting mq_waiting_in(const char *object, const char *function)
{
    const char *name = object != NULL ? name_of(object) : NULL;

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (is_like(functions[i].function, function)
            && (name == NULL || is_like(functions[i].library, name)))
            return functions[i].peer;
    return mq_waiting_nobody;
}

/* ---- Functions in which threads wait for others ------------------------- */

static const struct {
    enum mq_lock kind;
    const char *pattern;
} locks[] = {
#define LOCK(kind, pattern) { mq_lock_##kind, pattern },
#include "mpi/lock_functions.def"
};

enum mq_lock mq_lock_kind(const char *function)
{
    for (size_t i = 0; function != NULL && i < sizeof locks / sizeof locks[0];
         i++)
        if (is_like(locks[i].pattern, function))
            return locks[i].kind;
    return mq_lock_none;
}
