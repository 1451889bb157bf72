/* near_miss.h - messages and receives that all but match */
#ifndef MQ_NEAR_MISS_H
#define MQ_NEAR_MISS_H

#include "analysis/waits.h"

enum mq_difference {
    mq_same,
    mq_tag_differs,
    mq_communicator_differs,
    mq_too_long                 /* the message, for the receive's buffer */
};

/* A receive and a message of the source that it waits for; they differ in one
 * respect.
 */
struct mq_near_miss {
    enum mq_difference difference;
    struct mq_operation_ref receive;
    struct mq_operation_ref message;    /* unexpected, or a listed send */
    size_t more;                /* messages that differ likewise */
};

enum {
    mq_near_miss_limit = 100    /* messages compared with one receive, and
                                   receives with one message */
};

/* Looks at the receives and sends that ranks are held by.  The result is to be
 * freed by the caller.  A receive without buffer and length is taken for one
 * whose length is not known, and what lies on communicators that cannot be told
 * apart, or on the library's own, is left out.
 */
enum mq_result mq_near_misses_find(const struct mq_waits *, struct mq_error *,
                                   struct mq_near_miss **misses, size_t *count);

#endif
