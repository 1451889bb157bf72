/* atoms.h - builder for the atoms of the wait-for graph
 *
 * What the files of all kinds of calls share, in waits/ only: the builder, its
 * nodes, and the atoms of the rank that is being looked at.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ATOMS_H
#define MQ_ATOMS_H

#include "base/map.h"
#include "waits/graph.h"

/* Knowledge of a process. */
enum mq_known {
    mq_knows_sends = 1,         /* the queue of all its communicators */
    mq_knows_unexpected = 2,
    mq_read_whole = 4           /* that and the receives, without error */
};

struct mq_builder {
    const struct mq_match_table *table;
    const struct mq_job *job;
    struct mq_waits *made;
    uint8_t *known;             /* by process: enum mq_known */
    mq_reasons not_given;       /* why not all ranks of one job were given,
                                   once each */
    mq_reasons not_read;        /* why not all were read whole */
    bool all_inside;            /* ranks that have not ended, and were counted
                                   to stay in calls that block */
    size_t hidden;              /* ranks that may be sending without a trace */
    struct mq_map groups;       /* by hash: index */
    size_t group_room;
    struct absentee {           /* of the group that was last asked for */
        bool is_set;
        struct mq_waits_group group;
        int64_t upto;           /* all members before this one have come */
        uint32_t node;          /* that has not, at that place, or nobody */
    } absentee;
    size_t count, room;         /* of needs */
    uint32_t self;              /* the process whose needs are looked for */
    bool is_coming;             /* something that would do is being moved to
                                   it, or was */
    bool has_come;              /* something that it needs is there */
    bool is_held;               /* by an operation that cannot end */
    bool is_at_file;            /* any process, which may keep those waiting
                                   that are in an operation on a file */
    bool has_ended;             /* any process */
};

/* The process, and its call. */
const struct mq_process *mq_self(const struct mq_builder *);
enum mq_wait mq_self_call(const struct mq_builder *);

/* Makes it unknown whether the process stays in its call. */
void mq_doubt(struct mq_builder *, enum mq_reason reason);

/* Why it is unknown what a call of this kind waits for. */
enum mq_reason mq_reason_of_wait(enum mq_wait call);

/* The node of a rank of the job. */
uint32_t mq_rank_node(const struct mq_builder *, int64_t rank);

/* The node that the operation REF, of the process itself, needs. */
enum mq_result mq_peer_node(struct mq_builder *,
                            const struct mq_operation_ref *ref,
                            struct mq_error *, uint32_t *node);

/* The node of all that wait for the same as GROUP. */
enum mq_result mq_group_node(struct mq_builder *,
                             const struct mq_waits_group *group,
                             struct mq_error *, uint32_t *node);

/* Whether two groups wait for the same. */
bool mq_is_same_group(const struct mq_waits_group *,
                      const struct mq_waits_group *);

/* Adds an atom to the process's condition. */
enum mq_result mq_add_need(struct mq_builder *,
                           const struct mq_operation_ref *ref, uint32_t node,
                           enum mq_value value, struct mq_error *);

/* Adds something unknown: of the peer that doubtful arguments name, else of any
 * member of the call's communicator, or of any rank.
 */
enum mq_result mq_add_unknown(struct mq_builder *, struct mq_error *);

bool mq_has_needs(const struct mq_builder *);

#endif
