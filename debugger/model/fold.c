/* fold.c - groups of processes with equal state */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"

/* ---- Likeness --------------------------------------------------------- */

static uint64_t hash_operation(uint64_t hash, const struct mq_operation *op)
{
    hash = mq_hash_number(hash, (uint64_t)op->desired_local);
    hash = mq_hash_number(hash, (uint64_t)op->desired_global);
    hash = mq_hash_number(hash, (uint64_t)op->desired_tag);
    hash = mq_hash_number(hash, (uint64_t)op->desired_length);
    return mq_hash_number(hash, op->status);
}

static uint64_t hash_process(const struct mq_process *process)
{
    uint64_t hash = mq_hash_number((uintptr_t)process->call,
                                   process->operation_count);

    for (size_t i = 0; i < process->communicator_count; i++) {
        hash = mq_hash_number(hash, (uintptr_t)process->communicators[i].name);
        hash = mq_hash_number(hash, (uintptr_t)process->communicators[i].group);
    }
    for (size_t i = 0; i < process->operation_count; i++)
        hash = hash_operation(hash, &process->operations[i]);
    return hash;
}

static bool are_like_operations(const struct mq_operation *a,
                                const struct mq_operation *b)
{
    return a->desired_local == b->desired_local
           && a->desired_global == b->desired_global
           && a->tag_wild == b->tag_wild
           && (a->tag_wild || a->desired_tag == b->desired_tag)
           && a->desired_length == b->desired_length
           && a->status == b->status
           && a->system_buffer == b->system_buffer && a->extra == b->extra
           && a->datatype == b->datatype
           && (a->status == mq_pending
               || (a->actual_local == b->actual_local
                   && a->actual_global == b->actual_global
                   && a->actual_tag == b->actual_tag
                   && a->actual_length == b->actual_length));
}

static bool are_like_communicators(const struct mq_communicator *a,
                                   const struct mq_communicator *b)
{
    if (a->name != b->name || a->group != b->group || a->size != b->size
        || a->about != b->about)
        return false;
    for (int i = 0; i < mq_queue_classes; i++)
        if (a->queues[i].count != b->queues[i].count
            || a->queues[i].state != b->queues[i].state)
            return false;
    return true;
}

static bool are_alike(const struct mq_process *a, const struct mq_process *b)
{
    if (a->call != b->call || a->image != b->image
        || a->rank < 0 || b->rank < 0
        || a->communicator_count != b->communicator_count
        || a->operation_count != b->operation_count
        || a->remark_count != b->remark_count)
        return false;
    for (size_t i = 0; i < a->communicator_count; i++)
        if (!are_like_communicators(&a->communicators[i],
                                    &b->communicators[i]))
            return false;
    for (size_t i = 0; i < a->operation_count; i++)
        if (!are_like_operations(&a->operations[i], &b->operations[i]))
            return false;
    for (size_t i = 0; i < a->remark_count; i++)
        if (a->remarks[i].text != b->remarks[i].text
            || a->remarks[i].is_error != b->remarks[i].is_error
            || a->remarks[i].communicator != b->remarks[i].communicator
            || a->remarks[i].queue != b->remarks[i].queue)
            return false;
    return true;
}

/* ---- Blocks ----------------------------------------------------------- */

void mq_fold_destroy(struct mq_fold *fold)
{
    free(fold->blocks);
    free(fold->members);
    memset(fold, 0, sizeof *fold);
}

enum mq_result mq_fold_by(const uint32_t *block_of, size_t processes,
                          size_t blocks, struct mq_error *error,
                          struct mq_fold *fold)
{
    struct mq_fold made = {
        blocks, calloc(blocks + 1, sizeof made.blocks[0]),
        malloc((processes + 1) * sizeof made.members[0])
    };
    size_t begin = 0;

    if (made.blocks == NULL || made.members == NULL) {
        mq_fold_destroy(&made);
        return mq_fail_memory(error, "folding equal ranks");
    }
    for (size_t p = 0; p < processes; p++)
        if (block_of[p] != MQ_NO_BLOCK)
            made.blocks[block_of[p]].count++;
    for (size_t i = 0; i < blocks; i++) {
        made.blocks[i].begin = begin;
        begin += made.blocks[i].count;
        made.blocks[i].count = 0;
    }
    for (size_t p = 0; p < processes; p++)
        if (block_of[p] != MQ_NO_BLOCK) {
            struct mq_block *block = &made.blocks[block_of[p]];

            made.members[block->begin + block->count++] = (uint32_t)p;
        }
    *fold = made;
    return mq_ok;
}

struct folder {
    const struct mq_job *job;
    uint32_t *block_of;         /* by process */
    uint32_t *first;            /* process of each block */
    uint32_t count;             /* of blocks */
    struct mq_map blocks;       /* by hash */
};

static enum mq_result find_block(struct folder *f, uint32_t process,
                                 struct mq_error *error)
{
    const struct mq_process *self = &f->job->processes[process];
    struct mq_key key = { hash_process(self), (uintptr_t)self->image };
    uint32_t *block;

    if (mq_map_add(&f->blocks, key, f->count, error, &block) != mq_ok)
        return mq_failed;
    if (*block < f->count
        && are_alike(&f->job->processes[f->first[*block]], self)) {
        f->block_of[process] = *block;
        return mq_ok;
    }
    f->block_of[process] = f->count;
    f->first[f->count++] = process;
    return mq_ok;
}

enum mq_result mq_fold_create(const struct mq_job *job, const bool *shown,
                              struct mq_error *error, struct mq_fold *fold)
{
    size_t size = (job->process_count + 1) * sizeof(uint32_t);
    struct folder f = { job, malloc(size), malloc(size), 0, { 0, 0, NULL, 0 } };
    enum mq_result result = mq_ok;

    if (f.block_of == NULL || f.first == NULL)
        result = mq_fail_memory(error, "folding equal ranks");
    for (uint32_t p = 0; p < job->process_count && result == mq_ok; p++) {
        f.block_of[p] = MQ_NO_BLOCK;
        if (shown[p])
            result = find_block(&f, p, error);
    }
    if (result == mq_ok)
        result = mq_fold_by(f.block_of, job->process_count, f.count, error,
                            fold);
    free(f.block_of);
    free(f.first);
    mq_map_deinit(&f.blocks);
    return result;
}
