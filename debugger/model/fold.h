/* fold.h - groups of processes with equal state
 *
 * Two processes are alike if they are in the same call and have the same
 * communicators, operations and remarks; ids, buffers and own ranks may differ.
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
    struct mq_block *blocks;    /* in the order of their first processes */
    uint32_t *members;          /* indices of processes */
};

/* Takes those processes for which SHOWN is true. */
enum mq_result mq_fold_create(const struct mq_job *, const bool *shown,
                              struct mq_error *, struct mq_fold *fold);
void mq_fold_destroy(struct mq_fold *fold);

#endif
