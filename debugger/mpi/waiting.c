/* waiting.c - library functions that wait outside MPI */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi/waiting.h"

#include <stddef.h>
#include <string.h>

#include "mpi/libraries.h"

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
    const char *slash = object != NULL ? strrchr(object, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : object;

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (mq_library_is_like(functions[i].function, function)
            && (name == NULL || mq_library_is_like(functions[i].library, name)))
            return functions[i].peer;
    return mq_waiting_nobody;
}
