/* fold.c - groups of processes with equal state */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "model/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
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

static bool are_like_remarks(const struct mq_remark *a,
                             const struct mq_remark *b)
{
    return a->text == b->text && a->is_error == b->is_error
           && a->communicator == b->communicator && a->queue == b->queue;
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
        if (!are_like_remarks(&a->remarks[i], &b->remarks[i]))
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

struct folder {
    const struct mq_job *job;
    struct mq_fold *fold;
    uint32_t *block_of;         /* by process */
    struct mq_map blocks;       /* by hash */
    size_t room;
};

/* Begins a block whose first member, for now, is only remembered. */
static enum mq_result add_block(struct folder *f, size_t process,
                                struct mq_error *error)
{
    const struct mq_block block = { process, 0 };

    return mq_array_add(&f->fold->blocks, sizeof block, &f->fold->count,
                        &f->room, &block, "folding equal ranks", error);
}

static enum mq_result find_block(struct folder *f, size_t process,
                                 struct mq_error *error)
{
    const struct mq_process *self = &f->job->processes[process];
    struct mq_key key = { hash_process(self), (uintptr_t)self->image };
    uint32_t *block;
    size_t known = f->fold->count;

    if (mq_map_add(&f->blocks, key, (uint32_t)known, error, &block) != mq_ok)
        return mq_failed;
    if (*block < known
        && are_alike(&f->job->processes[f->fold->blocks[*block].begin], self))
        known = *block;
    else if (add_block(f, process, error) != mq_ok)
        return mq_failed;
    f->block_of[process] = (uint32_t)known;
    f->fold->blocks[known].count++;
    return mq_ok;
}

static void fill_blocks(struct folder *f, const bool *shown)
{
    size_t begin = 0;

    for (size_t i = 0; i < f->fold->count; i++) {
        struct mq_block *block = &f->fold->blocks[i];

        block->begin = begin;
        begin += block->count;
        block->count = 0;
    }
    for (size_t p = 0; p < f->job->process_count; p++)
        if (shown[p]) {
            struct mq_block *block = &f->fold->blocks[f->block_of[p]];

            f->fold->members[block->begin + block->count++] = (uint32_t)p;
        }
}

enum mq_result mq_fold_create(const struct mq_job *job, const bool *shown,
                              struct mq_error *error, struct mq_fold *fold)
{
    struct mq_fold made = { 0, NULL, NULL };
    struct folder f = { job, &made, NULL, { 0, 0, NULL, 0 }, 0 };
    size_t size = (job->process_count + 1) * sizeof f.block_of[0];
    enum mq_result result = mq_ok;

    f.block_of = malloc(size);
    made.members = malloc(size);
    if (f.block_of == NULL || made.members == NULL)
        result = mq_fail_memory(error, "folding equal ranks");
    for (size_t p = 0; p < job->process_count && result == mq_ok; p++)
        if (shown[p])
            result = find_block(&f, p, error);
    if (result == mq_ok)
        fill_blocks(&f, shown);
    free(f.block_of);
    mq_map_deinit(&f.blocks);
    if (result == mq_ok)
        *fold = made;
    else
        mq_fold_destroy(&made);
    return result;
}
