/* waits.h - the wait-for graph: whom each rank needs in order to go on
 *
 * A node is a process, or a group of which any member would do (for a receive
 * from any source), so that a wildcard costs one edge and each group that
 * wildcards ask for its size.
 */
#ifndef MQ_WAITS_H
#define MQ_WAITS_H

#include "analysis/mail.h"

enum {
    mq_nobody = INT32_MAX       /* a node that can go on for sure: a rank that
                                   was not given, or is not known */
};

/* An operation that would let its rank go on when it is done. */
struct mq_wait_for {
    struct mq_operation_ref place;      /* of a blocking send: the message at its
                                   receiver */
    uint32_t node;              /* of the peer */
    bool unlikely;              /* it is not what the rank is blocked in, if
                                   lists are in the order of calls and short
                                   messages are handed over at once */
};

/* What is known of a rank from its own lists. */
enum mq_freedom {
    mq_goes_on = 1,             /* it waits for nothing, or has it */
    mq_may_go_on = 2            /* its lists may not tell all that it waits
                                   for */
};

struct mq_waits {
    const struct mq_mail *mail;
    size_t *first;              /* by process: index into waits; one more than
                                   there are processes */
    struct mq_wait_for *waits;
    uint8_t *freedom;           /* by process: enum mq_freedom */
    size_t group_count;
    const struct mq_group **groups;     /* by node less process_count */
};

/* MAIL must outlive the result. */
enum mq_result mq_waits_create(const struct mq_mail *mail,
                               bool ranks_are_missing, struct mq_error *,
                               struct mq_waits *waits);
void mq_waits_destroy(struct mq_waits *waits);

#endif
