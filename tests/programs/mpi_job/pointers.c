/* pointers.c - handles as numbers */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpir_variables.h"

#include <stdlib.h>

typedef struct PtrToIdx_ {
    int idx;
    void *ptr;
    struct PtrToIdx_ *next;
} PtrToIdx;

enum {
    block_count = 256,
    block_size = 1024,
    first_free = 128            /* below are the predefined ones */
};

/* Only a debugger that reads debug information sees these. */
static PtrToIdx first_block[block_size];
static PtrToIdx *PtrBlocks[block_count] = { first_block };
static PtrToIdx *avail;
static int next_handle = first_free;

void MPIR_SetPointer(int handle, void *object)
{
    PtrToIdx **block = &PtrBlocks[handle / block_size];

    if (*block == NULL)
        *block = calloc(block_size, sizeof **block);
    if (*block == NULL)
        exit(3);
    (*block)[handle % block_size].idx = handle;
    (*block)[handle % block_size].ptr = object;
}

int MPIR_FromPointer(void *object)
{
    PtrToIdx *freed = avail;

    if (freed != NULL) {
        avail = freed->next;
        freed->ptr = object;
        return freed->idx;
    }
    if (next_handle == block_count * block_size)
        exit(3);
    MPIR_SetPointer(next_handle, object);
    return next_handle++;
}

void MPIR_FreePointer(int handle)
{
    PtrToIdx *freed = &PtrBlocks[handle / block_size][handle % block_size];

    freed->next = avail;
    avail = freed;
}

void *MPIR_ToPointer(int handle)
{
    return PtrBlocks[handle / block_size][handle % block_size].ptr;
}
