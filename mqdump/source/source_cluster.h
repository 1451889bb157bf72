/* source_cluster.h - the sources that are the nodes of a job
 *
 * On the host of the user all nodes are asked (gather.h).  On a node the ranks
 * are found by their environment, and read, while the nodes that are to be
 * asked from there are asked.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SOURCE_CLUSTER_H
#define MQ_SOURCE_CLUSTER_H

#include "mqdump/read/reading.h"

/* VALUES are not looked at: all is in the options' settings. */
enum mq_result mq_read_cluster(char *const *values,
                               const struct mq_read_options *,
                               struct mq_reading *, struct mq_error *);

#endif
