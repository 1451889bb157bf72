/* resources.c - the resources that the threads of a process wait for */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/resources.h"

#include "direct/locks.h"
#include "direct/wakers.h"
#include "process/proc_status.h"

/* Finds the process of a lock's owner.  A lock of this process alone whose owner
 * is none of its threads was copied as locked by a fork, or its owner has ended.
 */
static void find_holder(const struct mq_unwinder *unwinder,
                        const struct mq_call_stacks *stacks, bool is_own,
                        struct mq_resource *resource)
{
    const int pid = unwinder->loaded->origin.core == NULL
                    ? unwinder->loaded->origin.pid : 0;
    struct mq_proc_status status;

    if (mq_call_stacks_index(stacks, resource->thread) < stacks->count) {
        resource->holder = mq_holder_thread;
        resource->process = pid;
    } else if (is_own && stacks->are_all) {
        resource->holder = mq_holder_nobody;
    } else if (!is_own && pid != 0
               && mq_proc_status_read(resource->thread, &status)) {
        resource->holder = mq_holder_process;
        resource->process = status.process;
    }
}

void mq_resources_find(const struct mq_call_reader *reader,
                       struct mq_call_stacks *stacks)
{
    const struct mq_unwinder *unwinder = &reader->unwinder;

    for (size_t i = 0; i < stacks->count; i++) {
        struct mq_call_stack *stack = &stacks->all[i];

        if (stack->frame_count == 0 || !stack->is_whole || stack->has_outermost)
            continue;
        stack->resource = mq_lock_find(unwinder, &stack->frames[0],
                                       mq_call_stack_waits_in(unwinder, stack));
        if (stack->resource.kind != mq_resource_none)
            find_holder(unwinder, stacks,
                        mq_sleeps_until_woken(unwinder,
                                              &stack->frames[0].state),
                        &stack->resource);
    }
}
