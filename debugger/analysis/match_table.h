/* match_table.h - match table: sends matched with receives
 *
 * For each rank, its unexpected messages and the sends that other ranks list to
 * it are compared with the receives that it has posted.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MATCH_TABLE_H
#define MQ_MATCH_TABLE_H

#include "analysis/match.h"
#include "model/job.h"
#include "model/rank_index.h"
#include "mpi/call.h"

/* Facts about an operation. */
enum mq_fact {
    mq_met = 1,                 /* a receive: a message that it matches is
                                   there; a pending send or an unexpected
                                   message: such a receive is posted */
    mq_perhaps_met = 2,         /* a receive: only a completed send would do,
                                   which some other receive may have had */
    mq_arrived = 4,             /* a send: its message is unexpected at the
                                   receiver */
    mq_unlisted = 8,            /* an unexpected message: see unlisted below */
    mq_surely_arrived = 32,     /* a pending send: so did one of its length that
                                   was not buffered */
    mq_is_at_sender = 64,       /* likewise, and the data are still there */
    mq_awaited = 16,            /* its rank waits for it, most likely; set with
                                   graph.h */
    mq_explained = 128          /* an unexpected message: of a near miss; set
                                   with near_miss.c */
};

/* Doubts about a process. */
enum mq_doubt {
    mq_message_moves = 1,       /* some rank's pending send to it has neither
                                   arrived nor met its receive; of a message of
                                   the program's, which ends no collective
                                   operation, if it is in none */
    mq_knows_no_peer = 2,       /* the peer of an operation is not known, so
                                   that nothing is certain */
    mq_in_callback = 4          /* its call has called back (thread_activity) */
};

enum {
    mq_slow_network = 10000000  /* bytes a second, which any network carries */
};

/* Where the data of an unexpected message are. */
enum mq_data {
    mq_data_anywhere,           /* that is not known */
    mq_data_here,               /* it was buffered: its sender is done */
    mq_data_at_sender           /* which waits for its receive */
};

struct mq_match_table {
    const struct mq_job *job;
    const struct mq_rank_index *ranks;
    const struct mq_match *match;
    bool lost;                  /* the destination of a pending send is not
                                   known */
    uint8_t *calls;             /* by process: enum mq_wait */
    uint8_t *doubts;            /* by process: enum mq_doubt */
    size_t *first_fact;         /* by process: index into facts */
    uint8_t *facts;             /* by operation: enum mq_fact */
    size_t *first_send;         /* by receiving process: index into sends; one
                                   more than there are processes */
    struct mq_operation_ref *sends;     /* that some rank lists to it */
    size_t *first_unlisted;     /* the same by sending process */
    struct mq_operation_ref *unlisted;  /* unexpected messages of a rank that
                                   may be blocked in sending them: not
                                   buffered, and none that it lists */
};

/* Everything that is passed must outlive the table. */
enum mq_result mq_match_table_create(const struct mq_job *,
                                     const struct mq_rank_index *,
                                     const struct mq_match *, struct mq_error *,
                                     struct mq_match_table *table);
void mq_match_table_destroy(struct mq_match_table *table);

/* Whether it is known where the data of an operation are. */
bool mq_knows_buffer(const struct mq_operation *operation);

enum mq_data mq_message_data(const struct mq_operation *message);

/* Whether the message is that of a request that its sender waits for. */
bool mq_is_awaited_send(const struct mq_process *sender,
                        const struct mq_operation *message);

/* Whether an operation is the MPI library's own: it is on an internal
 * communicator, or has a tag that no user can give.
 */
bool mq_is_internal(const struct mq_match_table *,
                    const struct mq_operation_ref *);

/* Whether a receive of any tag takes the message: those of MPI's own have
 * negative tags, which it does not.
 */
bool mq_fits_any_tag(const struct mq_operation *message);

/* Whether the operation is the MPI_Probe that its rank is in, which receives
 * nothing.
 */
bool mq_is_probe(const struct mq_match_table *,
                 const struct mq_operation_ref *);

uint8_t *mq_facts(const struct mq_match_table *,
                  const struct mq_operation_ref *);

#endif
