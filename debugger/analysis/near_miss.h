/* near_miss.h - receives and messages that nearly match */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_NEAR_MISS_H
#define MQ_NEAR_MISS_H

#include "analysis/stuck.h"

enum mq_difference {
    mq_tag_differs,
    mq_source_differs,
    mq_communicator_differs,    /* and the source is the same, by its rank in
                                   one or the other */
    mq_too_long,                /* the message, for the receive's buffer */
    mq_differences,
    mq_no_difference,
    mq_much_differs             /* more than one respect, or it is not known */
};

/* "tag" and so on, as reports name them. */
extern const char *const mq_difference_names[mq_differences];

/* A receive and a message to its rank that differ in one respect.  There is no
 * message that the receive matches.
 */
struct mq_near_miss {
    enum mq_difference difference;
    struct mq_operation_ref receive;
    struct mq_operation_ref message;    /* unexpected, or a listed send */
    bool note;                  /* the rank does not wait in the receive */
    size_t more;                /* messages that differ likewise */
};

enum {
    mq_near_miss_limit = 100    /* messages compared with one receive, and
                                   receives with one message */
};

/* Looks at the receives and sends that ranks are held by, unless they moved.
 * PROSPECTS is what mq_stuck_find gives.  The result is to be freed by the
 * caller.  A receive without buffer and length is taken for one whose length is
 * not known, and operations on communicators that cannot be distinguished, or
 * on the library's own, is left out.
 */
enum mq_result mq_near_misses_find(const struct mq_waits *,
                                   const struct mq_prospects *prospects,
                                   struct mq_error *,
                                   struct mq_near_miss **misses, size_t *count);

#endif
