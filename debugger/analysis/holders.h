/* holders.h - chains of holders of resources
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HOLDERS_H
#define MQ_HOLDERS_H

#include "model/job.h"

/* The kind of lock that the first thread of a process holds and for which
 * another one of its threads waits, or none.
 */
enum mq_resource_kind mq_held_resource(const struct mq_process *);

/* The thread of the process that holds a resource; null: another holder. */
const struct mq_thread *mq_holding_thread(const struct mq_process *,
                                          const struct mq_resource *);

#endif
