/* remarks.h - remarks beside a report
 *
 * A filter that lets nothing through makes an empty report, and of two
 * processes that say that they are the same rank one is left out: both are said
 * aloud, lest the reader takes what is shown for all.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_REMARKS_H
#define MQ_REMARKS_H

#include "base/log.h"
#include "report/filter.h"

/* Warns of each rank that more than one process of JOB says to be. */
enum mq_result mq_remark_duplicates(const struct mq_job *, struct mq_logger *,
                                    struct mq_error *);

/* Warns if each part of FILTER matches nothing in JOB. */
void mq_remark_empty_filter(const struct mq_job *, const struct mq_filter *,
                            struct mq_logger *);

/* Says beforehand that the groups of --raw, which are written in full for each
 * process that shares them, are going to be long.
 */
void mq_remark_long_groups(const struct mq_job *, struct mq_logger *);

#endif
