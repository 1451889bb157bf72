/* concurrent_callers.h - threads that may call MPI concurrently */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_CONCURRENT_CALLERS_H
#define MQ_CONCURRENT_CALLERS_H

#include "model/awaited.h"
#include "model/job.h"
#include "target/target.h"

/* Notes of PROCESS of JOB, with a remark, that COUNT of its threads, if any,
 * may call MPI at any time.
 */
enum mq_result mq_concurrent_callers_note(struct mq_job *,
                                          struct mq_process *process,
                                          uint32_t count, struct mq_error *);

/* Whether the MPI library of TARGET says that a second thread may enter it: as
 * long as the first one IS_INSIDE, at MPI_THREAD_MULTIPLE only, otherwise at
 * MPI_THREAD_SERIALIZED, too.  IF_UNKNOWN: where it does not say.
 */
bool mq_lets_others_in(struct mq_target *target, bool is_inside,
                       bool if_unknown);

/* Notes the same of all threads of TARGET but the first, those that continue
 * only after another one, and those for which RESOLVER, which may be null,
 * finds what they wait for in MPI: that is added to what the process does.
 * Nothing is noted if the MPI library lets no other thread in.  IF_UNKNOWN:
 * also where it does not say that.
 */
enum mq_result mq_concurrent_callers_find(struct mq_target *target,
                                          struct mq_resolver *, bool if_unknown,
                                          struct mq_job *,
                                          struct mq_process *process,
                                          struct mq_error *);

#endif
