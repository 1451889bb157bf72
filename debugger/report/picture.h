/* picture.h - layout of the wait-for graph
 *
 * Up to 8 ranks are a node each.  Of more, those that wait in the same way
 * share a node (pattern.h), as do those that do not wait and are in the same
 * call; but the ranks of a short cause, of a near miss, and the few of a
 * mismatch are nodes of their own.  Ranks beyond 64 nodes share one node for
 * each kind.  Nodes are placed on a ring; any ranks outside of it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PICTURE_H
#define MQ_PICTURE_H

#include "model/rank_text.h"
#include "report/report.h"

enum { mq_picture_most_nodes = 64 };

enum mq_node_kind {
    mq_node_free,               /* is not stuck */
    mq_node_deadlocked,
    mq_node_behind,             /* stuck */
    mq_node_cause,              /* where waiting ends, but for a deadlock */
    mq_node_any,                /* any rank of a group */
    mq_node_missing,            /* ranks that were not given */
    mq_node_kinds
};

struct mq_node {
    enum mq_node_kind kind;
    uint32_t begin, count;      /* its ranks in those of the picture; none of
                                   the last two kinds */
    const char *call;           /* as in struct mq_process; null if they are in
                                   different ones */
    const char *name;           /* of any rank's communicator */
    enum mq_rank_state state;   /* of the first rank */
    bool differs;               /* it is part of a near miss or a mismatch */
    bool is_rest;               /* its ranks wait in different ways */
    double half_width;          /* of its box, which its label fits in */
    double x, y;                /* middle, in pixels; y grows downwards */
};

/* The first three are as enum mq_queue_class. */
enum mq_edge_kind {
    mq_edge_send,               /* points to the destination */
    mq_edge_receive,            /* to the source */
    mq_edge_unexpected,         /* to the place of the message */
    mq_edge_collective,         /* to those that are not in the operation */
    mq_edge_near_miss,          /* from the receiver to the sender */
    mq_edge_mismatch,           /* from the few to the many */
    mq_edge_kinds
};

struct mq_edge {
    uint32_t from, to;          /* nodes */
    enum mq_edge_kind kind;
    bool deadlocked;            /* both ends wait in the same cycle, and this
                                   is why */
    bool is_alternative;        /* one of several is enough for its rank */
    bool is_even;               /* all of its peers are as far away ... */
    int64_t distance;           /* ... as this */
    size_t operations;
    struct mq_operation_ref first;      /* of them, of the first three kinds */
    const char *call;           /* which waits for it; null: none does that is
                                   known */
    size_t finding;             /* the near miss or the mismatch */
};

struct mq_picture {
    const struct mq_analysis *a;
    bool only_stuck;            /* of other ranks no edges are drawn */
    size_t left_out;            /* edges for which there is no room */
    double width, height;
    uint32_t node_count, edge_count;
    struct mq_node *nodes;
    struct mq_edge *edges;
    int *ranks;                 /* ascending in each node */
};

enum mq_result mq_picture_create(const struct mq_analysis *,
                                 const struct mq_report_options *,
                                 struct mq_error *, struct mq_picture *picture);
void mq_picture_destroy(struct mq_picture *picture);

/* ---- Its steps ---------------------------------------------------------- */

enum { mq_no_node = INT32_MAX };

/* Makes the nodes of ranks, with room for two more, and NODE_OF, a block of
 * malloc: the node of each process, mq_no_node if it is not shown.
 */
enum mq_result mq_picture_fold(const struct mq_analysis *,
                               const struct mq_filter *, struct mq_error *,
                               struct mq_picture *, uint32_t **node_of);

/* The kind of a process's node. */
enum mq_node_kind mq_picture_kind(const struct mq_analysis *, size_t process);

/* Gives all nodes their widths, and then their places. */
enum mq_result mq_picture_measure(struct mq_picture *, struct mq_error *);
void mq_picture_place(struct mq_picture *);

/* Draws it, as an element of SVG. */
enum mq_result mq_picture_write(const struct mq_picture *, FILE *,
                                struct mq_error *);

/* ---- Words -------------------------------------------------------------- */

/* The label of a node, and its details on request. */
void mq_node_label(const struct mq_picture *, const struct mq_node *,
                   struct mq_strbuf *);
void mq_node_title(const struct mq_picture *, const struct mq_node *,
                   struct mq_strbuf *);

/* "0-3,7" of a node of ranks; of others, and of very many spans, nothing. */
void mq_node_ranks(const struct mq_picture *, const struct mq_node *,
                   struct mq_strbuf *);

/* The label of an edge where there is room: "MPI_Recv, tag 17, halo"; and its
 * details on request.
 */
void mq_edge_label(const struct mq_picture *, const struct mq_edge *,
                   struct mq_strbuf *);
void mq_edge_title(const struct mq_picture *, const struct mq_edge *,
                   struct mq_strbuf *);

#endif
