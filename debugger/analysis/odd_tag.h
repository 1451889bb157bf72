/* odd_tag.h - the one rank whose tag differs from all others at a call site
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ODD_TAG_H
#define MQ_ODD_TAG_H

#include "analysis/graph.h"

/* Of the ranks that wait in one call at one place of the source, three or more,
 * each but one has the same value for an argument.
 */
struct mq_odd_tag {
    uint32_t process;           /* that one */
    const char *argument;
    int64_t value, usual;
    uint32_t others;            /* how many have the usual one */
};

/* The result is to be freed by the caller. */
enum mq_result mq_odd_tags_find(const struct mq_waits *, struct mq_error *,
                                struct mq_odd_tag **odd_tag, size_t *count);

#endif
