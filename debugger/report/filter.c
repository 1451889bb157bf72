/* filter.c - selection of ranks, communicators and operations */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "report/filter.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "model/worlds.h"

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

bool mq_filter_shows_some(const struct mq_filter *filter,
                          const struct mq_job *job, size_t index)
{
    struct mq_operation_ref ref = mq_operation_ref_before(index);

    while (mq_operation_ref_next(job, &ref))
        if (mq_filter_shows_operation(filter, job, &ref))
            return true;
    return false;
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

/* ---- Rank lists of users: 0-3,7 or, of world 1, 1:0-3 ------------------- */

void mq_rank_choice_deinit(struct mq_rank_choice *choice)
{
    free(choice->spans);
    choice->spans = NULL;
    choice->count = 0;
}

/* ---- Reading ------------------------------------------------------------ */

static bool read_rank(const char **text, int *rank)
{
    uint64_t value = 0;

    if (mq_number_read(text, INT_MAX - 1, &value) != mq_number_ok)
        return false;
    *rank = (int)value;
    return true;
}

/* Reads "[WORLD:]FIRST[-LAST]". */
static bool read_span(const char **text, struct mq_rank_span *span)
{
    span->world = -1;
    if (!read_rank(text, &span->first))
        return false;
    if (**text == ':') {
        span->world = span->first;
        (*text)++;
        if (!read_rank(text, &span->first))
            return false;
    }
    span->last = span->first;
    if (**text == '-' && ((*text)++, !read_rank(text, &span->last)))
        return false;
    return span->first <= span->last;
}

static int compare_spans(const void *left, const void *right)
{
    const struct mq_rank_span *l = left, *r = right;

    if (l->world != r->world)
        return l->world < r->world ? -1 : 1;
    return l->first < r->first ? -1 : l->first > r->first;
}

enum mq_result mq_rank_choice_parse(const char *text, struct mq_error *error,
                                    struct mq_rank_choice *choice)
{
    struct mq_rank_choice made = { 0, NULL };
    const char *at = text;

    made.spans = malloc((strlen(text) / 2 + 1) * sizeof made.spans[0]);
    if (made.spans == NULL)
        return mq_fail_memory(error, "reading a list of ranks");
    while (read_span(&at, &made.spans[made.count])) {
        made.count++;
        if (*at == '\0') {
            size_t kept = 0;

            /* Sorts, and joins what touches. */
            qsort(made.spans, made.count, sizeof made.spans[0],
                  compare_spans);
            for (size_t i = 1; i < made.count; i++) {
                struct mq_rank_span *last = &made.spans[kept];
                const struct mq_rank_span *next = &made.spans[i];

                if (next->world != last->world || next->first > last->last + 1)
                    made.spans[++kept] = *next;
                else if (next->last > last->last)
                    last->last = next->last;
            }
            made.count = kept + 1;
            *choice = made;
            return mq_ok;
        }
        if (*at++ != ',')
            break;
    }
    mq_rank_choice_deinit(&made);
    return mq_fail(error, "'%s' is not a list of ranks such as 0-3,7 or, of "
                   "world 1, 1:0-3,1:7", text);
}

/* ---- Asking -------------------------------------------------------------- */

static bool holds(const struct mq_rank_choice *choice, int world, int rank)
{
    size_t low = 0, high = choice->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct mq_rank_span *span = &choice->spans[middle];

        if (span->world < world
            || (span->world == world && span->last < rank))
            low = middle + 1;
        else
            high = middle;
    }
    return low < choice->count && choice->spans[low].world == world
           && choice->spans[low].first <= rank;
}

bool mq_filter_shows_rank(const struct mq_filter *filter,
                          const struct mq_job *job,
                          const struct mq_process *process)
{
    const struct mq_rank_choice *choice = &filter->ranks;
    int own = process->rank, world = mq_worlds_find(job, own, &own);

    return choice->count == 0 || holds(choice, -1, process->rank)
           || holds(choice, world >= 0 ? world : 0, own);
}
