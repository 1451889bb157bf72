/* picture.h - who waits for whom, laid out to be drawn
 *
 * Up to 32 ranks are a node each.  Of more, neighbours that wait in the same
 * way share a node.  If that leaves more than 48 nodes, only what stuck ranks
 * wait for is drawn, and neighbours that are not stuck share a node whatever
 * they do.  Nodes stand on a ring, or in a grid if there still are more
 * than 48.
 */
#ifndef MQ_PICTURE_H
#define MQ_PICTURE_H

#include "report/report.h"
#include "job/rank_text.h"

enum mq_node_kind {
    mq_node_free,               /* is not stuck */
    mq_node_deadlocked,
    mq_node_behind,             /* stuck */
    mq_node_cause,              /* where waiting ends, but for a deadlock */
    mq_node_any,                /* any rank of a group */
    mq_node_missing             /* ranks that were not given */
};

struct mq_node {
    enum mq_node_kind kind;
    int first, last;            /* ranks, of the first four kinds */
    const char *call;           /* as in struct mq_process */
    const char *name;           /* of any rank's communicator */
    enum mq_rank_state state;   /* of the first rank */
    bool differs;               /* it is part of a near miss or a mismatch */
    uint32_t cause;             /* of causes and of those who wait */
    double x, y;                /* middle, in pixels; y grows downwards */
};

struct mq_edge {
    uint32_t from, to;          /* nodes */
    enum mq_queue_class queue;  /* a receive and a send point to the peer, an
                                   unexpected message to where it lies */
    bool deadlocked;            /* both ends wait in the same cycle, and this
                                   is why */
    size_t operations;
    struct mq_operation_ref first;      /* of them */
};

struct mq_picture {
    const struct mq_analysis *a;
    bool only_stuck;            /* of other ranks no edges are drawn */
    bool is_grid;
    size_t left_out;            /* ranks for which there is no room */
    double width, height;
    uint32_t node_count, edge_count;
    struct mq_node *nodes;
    struct mq_edge *edges;
};

enum mq_result mq_picture_create(const struct mq_analysis *,
                                 const struct mq_report_options *,
                                 struct mq_error *, struct mq_picture *picture);
void mq_picture_destroy(struct mq_picture *picture);

/* "0-510" of a node of ranks; of others nothing. */
void mq_node_ranks(const struct mq_node *, struct mq_strbuf *);

/* What stands at an edge where there is room: "tag 17, halo". */
void mq_edge_label(const struct mq_picture *, const struct mq_edge *,
                   struct mq_strbuf *);

/* "receive" and so on. */
const char *mq_edge_kind_name(const struct mq_edge *);

/* What is not drawn, in a sentence without its full stop; or nothing. */
void mq_picture_lacks(const struct mq_picture *, struct mq_strbuf *);

/* What stands in a node, and what is told of it and of an edge when asked. */
void mq_node_label(const struct mq_node *, struct mq_strbuf *);
void mq_node_title(const struct mq_picture *, const struct mq_node *,
                   struct mq_strbuf *);
void mq_edge_title(const struct mq_picture *, const struct mq_edge *,
                   struct mq_strbuf *);

#endif
