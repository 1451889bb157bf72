/* adapters.c - peculiarities of each MPI library */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpi/adapters.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct adapter {
    int64_t first_blocking, last_blocking;  /* tags of collective operations,
                                   downwards; 0: it uses a communicator of
                                   their own */
    int64_t first_nonblocking;  /* this and all below */
    int64_t buffered;           /* bytes that a send hands over at once */
    uint32_t unset;             /* words of freed memory; 0: it leaves them */
    uint32_t world, self;       /* handles; 0: they are addresses */
    const char *twin;           /* ending of the communicator's name that its
                                   collective operations use; null: none */
    const char *unnamed;        /* the name of communicators that have none;
                                   null: an empty one */
    const char *hidden;         /* the beginning of the names of communicators
                                   that are its own; null: they have others */
    const char *window;         /* the name of communicators of windows */
    const char *gated;          /* the library, as the shell has patterns, with
                                   a gate in MPI_Init; null: it has none */
};

static const struct adapter adapters[] = {
    {   /* Open MPI 4.0 to 5.0 */
        .first_blocking = -10, .last_blocking = -26, .first_nonblocking = -27,
        .buffered = 4096
    },
    {   /* MPICH 2 to 5 and libraries of its ABI; -1 less the tag is shown */
        .first_blocking = -2, .last_blocking = -32, .first_nonblocking = -33,
        .buffered = 1024, .world = 0x44000000, .self = 0x44000001,
        .hidden = "internal context "
    },
    {   /* MPICH 1 */
        .buffered = 1024, .unset = 0xfafafafa, .world = 91, .self = 92,
        .twin = "_collective", .unnamed = "--unnamed--",
        .gated = "libmpich.so.1.*"
    },
    {   /* libmqwatch, beside one of them */
        .buffered = INT64_MAX, .window = "a window"
    }
};

enum {
    adapter_count = sizeof adapters / sizeof adapters[0]
};

bool mq_adapter_is_nonblocking_tag(int64_t tag)
{
    for (size_t i = 0; i < adapter_count; i++)
        if (adapters[i].first_nonblocking != 0
            && tag <= adapters[i].first_nonblocking)
            return true;
    return false;
}

bool mq_adapter_is_blocking_tag(int64_t tag)
{
    for (size_t i = 0; i < adapter_count; i++)
        if (adapters[i].first_blocking != 0
            && tag <= adapters[i].first_blocking
            && tag >= adapters[i].last_blocking)
            return !mq_adapter_is_nonblocking_tag(tag);
    return false;
}

bool mq_adapter_is_unset(uint64_t address)
{
    for (size_t i = 0; i < adapter_count; i++)
        if (adapters[i].unset != 0 && (uint32_t)address == adapters[i].unset)
            return true;
    return false;
}

int64_t mq_adapter_buffered(void)
{
    int64_t least = adapters[0].buffered;

    for (size_t i = 1; i < adapter_count; i++)
        if (adapters[i].buffered < least)
            least = adapters[i].buffered;
    return least;
}

bool mq_adapter_is_predefined(int64_t handle, const char *name)
{
    uint32_t bits = (uint32_t)handle;
    bool is_world = name != NULL && strcmp(name, "MPI_COMM_WORLD") == 0;
    bool is_self = name != NULL && strcmp(name, "MPI_COMM_SELF") == 0;

    for (size_t i = 0; i < adapter_count; i++)
        if (bits != 0 && ((is_world && bits == adapters[i].world)
                          || (is_self && bits == adapters[i].self)))
            return true;
    return false;
}

bool mq_adapter_is_name(const char *name)
{
    for (size_t i = 0; i < adapter_count; i++)
        if (adapters[i].unnamed != NULL
            && strcmp(adapters[i].unnamed, name) == 0)
            return false;
    return true;
}

bool mq_adapter_says_name(const char *name, char *words, size_t room)
{
    static const struct {
        const char *made, *words;
    } origins[] = {
        { "DUP", "a duplicate" }, { "CREATE", "a part" }, { "GROUP", "a part" },
        { "SPLIT", "a part" }, { "SPLIT_TYPE", "a part" }
    };
    static const char *const predefined[] = {
        "MPI_COMM_WORLD", "MPI_COMM_SELF"
    };
    unsigned number, from;
    char made[16];
    int end = -1;

    if (sscanf(name, "MPICH context %9u%n", &number, &end) == 1 && end > 0
        && name[end] == '\0') {
        snprintf(words, room, "a communicator without name (context %u)",
                 number);
        return true;
    }
    if (sscanf(name, "MPI COMMUNICATOR %9u %15s FROM %9u%n", &number, made,
               &from, &end) != 3 || end < 0 || name[end] != '\0')
        return false;
    for (size_t i = 0; i < sizeof origins / sizeof origins[0]; i++)
        if (strcmp(origins[i].made, made) == 0) {
            char of[32];

            snprintf(of, sizeof of, "communicator %u", from);
            snprintf(words, room, "%s of %s (communicator %u)",
                     origins[i].words, from < 2 ? predefined[from] : of,
                     number);
            return true;
        }
    return false;
}

bool mq_adapter_is_hidden(const char *name)
{
    for (size_t i = 0; i < adapter_count; i++)
        if (adapters[i].hidden != NULL
            && strncmp(name, adapters[i].hidden, strlen(adapters[i].hidden))
               == 0)
            return true;
    return false;
}

bool mq_adapter_is_window(const char *name)
{
    for (size_t i = 0; i < adapter_count; i++)
        if (name != NULL && adapters[i].window != NULL
            && strcmp(adapters[i].window, name) == 0)
            return true;
    return false;
}

bool mq_adapter_has_gate(const char *library)
{
    const char *name = strrchr(library, '/');

    name = name != NULL ? name + 1 : library;
    for (size_t i = 0; i < adapter_count; i++)
        if (adapters[i].gated != NULL
            && fnmatch(adapters[i].gated, name, 0) == 0)
            return true;
    return false;
}

bool mq_adapter_is_twin(const char *name, const char *before, uint32_t limit)
{
    size_t length = strlen(before);

    if (strlen(name) <= length || strncmp(name, before, length) != 0)
        return false;
    for (size_t i = 0; i < adapter_count; i++) {
        const char *twin = adapters[i].twin;

        if (twin != NULL
            && (strcmp(name + length, twin) == 0
                || (strlen(name) == limit
                    && strncmp(name + length, twin, limit - length) == 0)))
            return true;
    }
    return false;
}
