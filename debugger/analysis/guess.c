/* guess.c - peers of a call, from doubtful arguments */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "analysis/guess.h"

const struct mq_communicator *
mq_guess_communicator(const struct mq_process *process,
                      const struct mq_argument *argument)
{
    size_t index;

    return mq_communicator_find(process, (uint64_t)argument->value, &index)
           == mq_ok
           ? &process->communicators[index] : NULL;
}

/* The argument of that name of the main thread's call; null: not known. */
static const struct mq_argument *argument_of(const struct mq_process *process,
                                             const char *name)
{
    return process->thread_count > 0
           ? mq_thread_argument(process->threads, name) : NULL;
}

/* The group of the communicator that the call was made on, or null. */
static const struct mq_group *group_of(const struct mq_process *process)
{
    const struct mq_argument *argument = argument_of(process, "comm");
    const struct mq_communicator *comm =
        argument == NULL ? NULL : mq_guess_communicator(process, argument);

    return comm == NULL ? NULL : comm->group;
}

bool mq_guess_peer(const struct mq_process *process, struct mq_guess *guess)
{
    const struct mq_argument *source = argument_of(process, "source");
    const struct mq_argument *dest = argument_of(process, "dest");
    const struct mq_argument *peer = source != NULL ? source : dest;
    const struct mq_argument *tag = argument_of(process, "tag");
    const struct mq_group *group = group_of(process);
    int rank = group != NULL && peer != NULL
               ? mq_group_global(group, peer->value) : -1;

    if (rank < 0)
        return false;
    guess->peer = rank;
    guess->is_source = peer == source;
    guess->tag = tag != NULL && tag->value >= 0 ? tag->value : -1;
    return true;
}
