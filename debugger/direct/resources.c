/* resources.c - the resources that the threads of a process wait for */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "direct/resources.h"

#include <string.h>

#include "direct/locks.h"
#include "direct/wakers.h"
#include "process/activity.h"
#include "process/proc_status.h"
#include "target/rank_process.h"

/* Finds the process of a lock's owner, whose number is of the namespace of this
 * process.  A lock of this process alone whose owner is none of its threads was
 * copied as locked by a fork, or its owner has ended.
 */
static void find_holder(const struct mq_unwinder *unwinder,
                        const struct mq_call_stacks *stacks, bool is_own,
                        struct mq_resource *resource)
{
    const int pid = unwinder->loaded->origin.core == NULL
                    ? unwinder->loaded->origin.pid : 0;
    struct mq_proc_status status;

    if (pid != 0 && mq_process_counts_anew("/proc", pid))
        return;
    if (mq_call_stacks_index(stacks, resource->thread) < stacks->count) {
        resource->holder = mq_holder_thread;
        resource->process = pid;
    } else if (resource->kind == mq_resource_interpreter) {
        return;                 /* it goes from thread to thread */
    } else if (is_own && stacks->are_all) {
        resource->holder = mq_holder_nobody;
    } else if (!is_own && pid != 0
               && mq_proc_status_read(resource->thread, &status)) {
        resource->holder = mq_holder_process;
        resource->process = status.process;
    }
}

/* Whether it is known to be outside MPI. */
static bool can_wait(const struct mq_call_stack *stack)
{
    return stack->frame_count > 0 && stack->is_whole && !stack->has_outermost;
}

/* The resource of a system call that a thread sleeps in.  A wait for a time
 * goes on as another system call once a stop has interrupted it: then its name
 * is that of the function that the program has called.
 */
static void find_file(const struct mq_unwinder *unwinder,
                      const struct mq_call_stacks *stacks,
                      struct mq_call_stack *stack)
{
    const struct mq_frame_state *state = &stack->frames[0].state;
    const struct mq_registers *registers = &state->registers;
    struct mq_sleeping_call call = {
        .process = unwinder->loaded->origin.pid, .thread = stack->thread,
        .arguments = registers->arguments, .memory = unwinder->memory
    };
    size_t inside;

    if (unwinder->loaded->origin.core != NULL
        || !mq_sleeps_in_call(unwinder, state))
        return;
    call.name = mq_system_call_name(call.process, registers->call);
    if (call.name != NULL && strcmp(call.name, "restart_syscall") == 0) {
        call.name = mq_call_stack_waits_in(unwinder, stack, &inside);
        call.name += strspn(call.name, "_");
    }
    if (call.name == NULL)
        return;
    call.is_alone = mq_call_stacks_has_only(unwinder, stacks, stack);
    stack->resource = mq_file_find(&call, &stack->texts);
}

static struct mq_resource find_lock(const struct mq_unwinder *unwinder,
                                    const struct mq_call_stack *stack)
{
    const struct mq_machine_frame *innermost = &stack->frames[0];
    const struct mq_object *file = innermost->file;
    size_t inside;

    if (!mq_sleeps_at_word(unwinder, &innermost->state))
        return (struct mq_resource){ .rank = -1 };
    return mq_lock_find(unwinder->memory,
                        innermost->state.registers.arguments[0],
                        file == NULL ? NULL
                        : file->name != NULL ? file->name : file->path,
                        mq_call_stack_waits_in(unwinder, stack, &inside));
}

/* Python's lock, for which its threads wait for a time, again and again. */
static void find_interpreter(const struct mq_call_reader *reader,
                             struct mq_call_stack *stack)
{
    const struct mq_registers *now = &stack->frames[0].state.registers;
    size_t caller = mq_call_stack_caller(stack), inside;
    int holder = 0;

    if (reader->scripts == NULL || caller == stack->frame_count
        || strstr(mq_call_stack_waits_in(&reader->unwinder, stack, &inside),
                  "pthread_cond_timedwait") == NULL
        || mq_scripts_lock_holder(reader->scripts, &reader->unwinder,
                                  &stack->frames[caller], (int)stack->thread,
                                  now->is_asleep ? now->arguments[0] : 0,
                                  &holder) != mq_ok)
        return;
    stack->resource.kind = mq_resource_interpreter;
    stack->resource.thread = holder;
}

void mq_resources_find(const struct mq_call_reader *reader,
                       struct mq_call_stacks *stacks)
{
    const struct mq_unwinder *unwinder = &reader->unwinder;
    struct mq_call_stack *last;

    for (size_t i = 0; i < stacks->count; i++) {
        struct mq_call_stack *stack = &stacks->all[i];

        if (!can_wait(stack))
            continue;
        stack->resource = find_lock(unwinder, stack);
        if (stack->resource.kind == mq_resource_none)
            find_interpreter(reader, stack);
        if (stack->resource.kind != mq_resource_none)
            find_holder(unwinder, stacks,
                        mq_sleeps_until_woken(unwinder,
                                              &stack->frames[0].state),
                        &stack->resource);
    }
    last = &stacks->all[mq_call_stacks_last(stacks)];
    if (can_wait(last) && last->resource.kind == mq_resource_none)
        find_file(unwinder, stacks, last);
}
