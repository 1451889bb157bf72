/* filter.c - selection of ranks, communicators and operations */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/filter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>


enum mq_result mq_filter_queues(const char *names, struct mq_error *error,
                                unsigned *queues)
{
    unsigned made = 0;
    const char *name = names;

    for (;;) {
        size_t length = strcspn(name, ",");
        int queue = 0;

        while (queue < mq_queue_classes
               && (strlen(mq_queue_names[queue]) != length
                   || memcmp(mq_queue_names[queue], name, length) != 0))
            queue++;
        if (queue == mq_queue_classes)
            return mq_fail(error, "'%.*s' is not a queue; the queues are"
                           " receive, unexpected and send", (int)length, name);
        made |= 1u << queue;
        if (name[length] == '\0')
            break;
        name += length + 1;
    }
    *queues = made;
    return mq_ok;
}

bool mq_filter_shows_rank(const struct mq_filter *filter,
                          const struct mq_job *job,
                          const struct mq_process *process)
{
    return mq_rank_choice_has(&filter->ranks, job, process->rank);
}

/* Whether NAME, as the user wrote it, is this communicator's name or id. */
static bool is_meant(const struct mq_filter *filter,
                     const struct mq_communicator *communicator)
{
    char id[32];

    snprintf(id, sizeof id, "0x%" PRIx64, communicator->id);
    return filter->communicator == NULL
           || strcmp(filter->communicator, communicator->name) == 0
           || strcmp(filter->communicator, id) == 0;
}

static bool has_tag(const struct mq_filter *filter,
                    const struct mq_operation *operation)
{
    char tag[32] = "any";

    if (!operation->tag_wild)
        snprintf(tag, sizeof tag, "%" PRId64, operation->desired_tag);
    return filter->tag == NULL || strcmp(filter->tag, tag) == 0;
}

bool mq_filter_shows_operation(const struct mq_filter *filter,
                               const struct mq_job *job,
                               const struct mq_operation_ref *ref)
{
    return mq_filter_shows_rank(filter, job, mq_operation_ref_process(job, ref))
           && (filter->queues == 0 || filter->queues & 1u << ref->queue)
           && is_meant(filter, mq_operation_ref_communicator(job, ref))
           && has_tag(filter, mq_operation_ref_operation(job, ref));
}

/* Whether an operation of the communicator is shown. */
static bool holds_something(const struct mq_filter *filter,
                            const struct mq_job *job,
                            struct mq_operation_ref ref)
{
    const struct mq_communicator *it = mq_operation_ref_communicator(job, &ref);

    for (ref.queue = 0; ref.queue < mq_queue_classes; ref.queue++)
        for (uint32_t i = 0; i < it->queues[ref.queue].count; i++) {
            ref.operation = it->queues[ref.queue].first + i;
            if (mq_filter_shows_operation(filter, job, &ref))
                return true;
        }
    return false;
}

static bool has_remark(const struct mq_process *process, size_t communicator)
{
    for (size_t i = 0; i < process->remark_count; i++)
        if (process->remarks[i].communicator == (int32_t)communicator)
            return true;
    return false;
}

bool mq_filter_shows_communicator(const struct mq_filter *filter,
                                  const struct mq_job *job,
                                  const struct mq_match *match, size_t process,
                                  size_t communicator)
{
    struct mq_operation_ref ref = { (uint32_t)process,
                                    (uint32_t)communicator, 0, 0 };
    bool internal = mq_match_is_internal(match, process, communicator);

    if (!is_meant(filter, mq_operation_ref_communicator(job, &ref)))
        return false;
    return holds_something(filter, job, ref)
           || (filter->queues == 0 && filter->tag == NULL
               && (!internal || filter->internal
                   || has_remark(&job->processes[process], communicator)));
}
