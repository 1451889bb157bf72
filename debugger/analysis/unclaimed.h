/* unclaimed.h - messages that no rank receives */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_UNCLAIMED_H
#define MQ_UNCLAIMED_H

#include "analysis/match_table.h"

/* Unexpected messages at one rank, of one communicator, source and tag, which
 * no posted receive matches; the library's own are left out.
 */
struct mq_unclaimed {
    struct mq_operation_ref first;
    uint32_t messages;
    int64_t bytes;              /* that the messages hold; -1: not known */
    bool is_explained;          /* a near miss, or a send that a rank is
                                   blocked in, says more of them */
};

/* Sizes in bytes as a set; -1: not known. */
int64_t mq_unclaimed_bytes(int64_t some, int64_t more);

/* The result is to be freed by the caller. */
enum mq_result mq_unclaimed_find(const struct mq_match_table *,
                                 struct mq_error *,
                                 struct mq_unclaimed **unclaimed,
                                 size_t *count);

#endif
