/* callbacks.h - the debugger's three callback tables, over targets
 *
 * What a DLL is handed.  The tables answer from the target that an image or a
 * process was made with, count what is asked, and keep account of the blocks
 * that the DLL allocates.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CALLBACKS_H
#define MQ_CALLBACKS_H

#include <stdbool.h>

#include "dll/lookup_cache.h"
#include "dll/statistics.h"
#include "mpi_interface.h"
#include "target/target.h"

struct mq_dll;

struct mqs_image_ {
    struct mq_dll *dll;
    struct mq_target *target;
    mqs_image_info *info;
    struct mqs_type_ *types;
    struct mq_dll_statistics statistics;
    struct mq_error trouble;    /* the first look-up that had no answer; empty
                                   if there was none.  To the DLL it is as if
                                   the thing did not exist. */
    char *note;
    char *name;                 /* of the executable */
    enum mq_byte_order byte_order;
    struct mq_type_sizes sizes;
    struct mq_lookup_cache lookups;
};

/* Frees what the callbacks keep in an image: its types and look-ups. */
void mq_image_forget(mqs_image *);

struct mqs_process_ {
    struct mqs_image_ *image;
    struct mq_target *target;
    mqs_process_info *info;
    int rank;                   /* what the DLL says, -1 if it does not */
    struct mq_dll_statistics statistics;
    char *note;
};

extern const mqs_basic_callbacks mq_basic_callbacks;
extern const mqs_image_callbacks mq_image_callbacks;
extern const mqs_process_callbacks mq_process_callbacks;

/* The DLL's heap.  Blocks are counted and have guards behind them. */
struct mq_store {
    size_t blocks;              /* not given back */
    size_t bytes;               /* in them */
    size_t peak;                /* most bytes at a time */
    size_t overruns;            /* blocks whose guard was overwritten, blocks
                                   given back that never were allocated */
    uint64_t allocations;
    uint64_t fail_at;           /* the allocation that fails; 0 for none */
};

extern struct mq_store mq_store;

#endif
