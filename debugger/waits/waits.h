/* waits.h - construction of the wait-for graph
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WAITS_H
#define MQ_WAITS_H

#include "waits/graph.h"

/* MAIL and ROLLS must outlive the result.  NOT_GIVEN: why not all ranks of one
 * job were given, once each.
 */
enum mq_result mq_waits_create(const struct mq_match_table *table,
                               const uint32_t *collectives,
                               mq_reasons not_given, struct mq_error *,
                               struct mq_waits *waits);
void mq_waits_destroy(struct mq_waits *waits);

#endif
