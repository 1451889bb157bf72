/* filter.h - selection of ranks, communicators and operations
 *
 * A filter chooses among ranks, communicators and operations in tables and
 * pictures.  The analysis is always that of the whole job.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FILTER_H
#define MQ_FILTER_H

#include "analysis/match.h"
#include "model/job.h"

/* Ranks of one world; of world -1, counted through all. */
struct mq_rank_span {
    int world, first, last;
};

/* Ascending, and none touches the next; none at all is a choice of all. */
struct mq_rank_choice {
    size_t count;
    struct mq_rank_span *spans;
};

/* Reads ranks and spans of ranks between commas, in any order. */
enum mq_result mq_rank_choice_parse(const char *text, struct mq_error *,
                                    struct mq_rank_choice *choice);

void mq_rank_choice_deinit(struct mq_rank_choice *choice);

/* All zero lets everything through but internal communicators that hold
 * nothing.
 */
struct mq_filter {
    unsigned queues;            /* bits of enum mq_queue_class; 0: all */
    const char *communicator;   /* a name or an id; null: all */
    const char *tag;            /* a number, or "any"; null: all */
    struct mq_rank_choice ranks;
    bool internal;              /* those that hold nothing, too */
};

/* Reads the names of queues between commas. */
enum mq_result mq_filter_queues(const char *names, struct mq_error *,
                                unsigned *queues);

bool mq_filter_shows_rank(const struct mq_filter *, const struct mq_job *,
                          const struct mq_process *);
bool mq_filter_shows_operation(const struct mq_filter *,
                               const struct mq_job *,
                               const struct mq_operation_ref *);

/* Whether any operation of the process at INDEX is shown. */
bool mq_filter_shows_some(const struct mq_filter *, const struct mq_job *,
                          size_t index);

/* Whether a communicator is worth a line. */
bool mq_filter_shows_communicator(const struct mq_filter *,
                                  const struct mq_job *,
                                  const struct mq_match *, size_t process,
                                  size_t communicator);

#endif
