/* awaited.h - operations that a call waits for, from its arguments
 *
 * A debugger knows the arguments; the meaning of handles among them is known by
 * a resolver for the MPI library.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_AWAITED_H
#define MQ_AWAITED_H

#include "model/job.h"

/* The first member of each resolver's own struct.  The functions return mq_ok,
 * mq_absent if it is not known, or mq_failed if nothing can be known any more.
 */
struct mq_resolver {
    /* The index in PROCESS of the communicator with that handle. */
    enum mq_result (*communicator)(struct mq_resolver *,
                                   const struct mq_process *process,
                                   uint64_t handle, struct mq_error *,
                                   size_t *index);

    /* The operation of PROCESS that a request is; MQ_NOT_LISTED for one that
     * is complete, null, inactive or on no queue.
     */
    enum mq_result (*request)(struct mq_resolver *,
                              const struct mq_process *process,
                              uint64_t handle, struct mq_error *,
                              uint32_t *operation);

    /* Bytes that one element of a datatype has in a message. */
    enum mq_result (*datatype_size)(struct mq_resolver *, uint64_t handle,
                                    struct mq_error *, uint64_t *size);

    int64_t proc_null;          /* MPI_PROC_NULL; 0: not known */
    bool may_lack;              /* a blocking receive that no queue lists need
                                   not be over: the queues are not all there
                                   are.  Then those of its communicator are not
                                   known, and a request that is on none may be
                                   one that is not listed */
};

/* Fills in what PROCESS, which has its queues and its threads, waits for:
 * awaiting and awaited.  Of a call that is a send and a receive, either may be
 * over: where no queue shows it, it waits for either of the two.  A blocking
 * send or probe that no queue lists becomes an operation of its communicator,
 * marked from_stack.  A request that is nothing listed is known by its mark, if
 * it has one (struct mq_mark).  RESOLVER may be null: then the meaning of
 * handles is unknown.  Collective operations are left to the caller.
 */
enum mq_result mq_awaited_find(struct mq_process *process,
                               struct mq_resolver *resolver,
                               struct mq_error *);

/* Adds what THREAD, another one of PROCESS, waits for: the process goes on if
 * one of its threads does.  Of several operations with one peer that a thread
 * needs all of, the last represents them.  A blocking send that no queue lists
 * may be over, unless its message waits at its receiver.  mq_absent, and
 * nothing is added, if it is not known what THREAD waits for, or not so that
 * one operation of each would do.
 */
enum mq_result mq_awaited_add(struct mq_process *process,
                              const struct mq_thread *thread,
                              struct mq_resolver *, struct mq_error *);

/* Whether a call of this name waits for sends, receives or probes, so that its
 * arguments show which.
 */
bool mq_awaited_is_of(const char *call);

#endif
