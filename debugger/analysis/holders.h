/* holders.h - chains of holders of resources
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HOLDERS_H
#define MQ_HOLDERS_H

#include "model/job.h"

/* The end of the chain from the first thread of a process, which is outside
 * MPI, by the holders of what each thread waits for.
 */
enum mq_chain_end {
    mq_chain_none,              /* it waits for no resource, or a thread of its
                                   process goes on or is in MPI */
    mq_chain_open,              /* at a resource of which the holder is unknown,
                                   or no rank of the job */
    mq_chain_beyond,            /* at another rank */
    mq_chain_inside             /* at a thread that is in it already, or at a
                                   lock that nobody can release */
};

/* LAST is the last thread that waits; untouched if there is none. */
enum mq_chain_end mq_resource_chain(const struct mq_process *,
                                    const struct mq_thread **last);

/* The kind of lock that the first thread of a process holds and for which
 * another one of its threads waits, or none.
 */
enum mq_resource_kind mq_held_resource(const struct mq_process *);

/* The thread of the process that holds a resource; null: another holder. */
const struct mq_thread *mq_holding_thread(const struct mq_process *,
                                          const struct mq_resource *);

#endif
