/* fold.h - groups of processes with equal state
 *
 * The state of two processes is equal if they are in the same call and have the
 * same communicators, operations and remarks; ids, buffers and own ranks may
 * differ.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FOLD_H
#define MQ_FOLD_H

#include "model/job.h"

struct mq_block {
    size_t begin;               /* in members */
    size_t count;
};

struct mq_fold {
    size_t count;
    struct mq_block *blocks;
    uint32_t *members;          /* processes, ascending in each block */
};

#define MQ_NO_BLOCK UINT32_MAX

/* Groups PROCESSES by the numbers of their BLOCKS; MQ_NO_BLOCK: in none. */
enum mq_result mq_fold_by(const uint32_t *block_of, size_t processes,
                          size_t blocks, struct mq_error *,
                          struct mq_fold *fold);

/* Groups those processes for which SHOWN is true by equal states. */
enum mq_result mq_fold_create(const struct mq_job *, const bool *shown,
                              struct mq_error *, struct mq_fold *fold);
void mq_fold_destroy(struct mq_fold *fold);

#endif
