/* process_builder.h - builder for struct mq_process
 *
 * The arrays of a struct mq_process, which are malloc's, grow here and nowhere
 * else; what is in them may be changed where it is.  A process begins with all
 * bytes zero, ends with mq_process_deinit, and strings in it are the job's.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PROCESS_BUILDER_H
#define MQ_PROCESS_BUILDER_H

#include "model/job.h"

/* Each adds a copy at the end of an array of PROCESS. */
enum mq_result mq_process_add_communicator(struct mq_process *process,
                                           const struct mq_communicator *,
                                           struct mq_error *);
enum mq_result mq_process_add_operation(struct mq_process *process,
                                        const struct mq_operation *,
                                        struct mq_error *);
enum mq_result mq_process_add_awaited(struct mq_process *process,
                                      uint32_t operation, struct mq_error *);
enum mq_result mq_process_add_tally(struct mq_process *process,
                                    const struct mq_tally *,
                                    struct mq_error *);
enum mq_result mq_process_add_mark(struct mq_process *process,
                                   const struct mq_mark *, struct mq_error *);
enum mq_result mq_process_add_pending(struct mq_process *process,
                                      const struct mq_pending_collective *,
                                      struct mq_error *);
enum mq_result mq_process_add_collective(struct mq_process *process,
                                         const struct mq_collective *,
                                         struct mq_error *);
enum mq_result mq_process_add_epoch(struct mq_process *process,
                                    const struct mq_epoch *,
                                    struct mq_error *);
enum mq_result mq_process_add_members(struct mq_process *process,
                                      const struct mq_members *,
                                      struct mq_error *);

/* Adds OPERATION as the last one of QUEUE, which is one of PROCESS, and gives
 * its place.
 */
enum mq_result mq_process_insert_operation(struct mq_process *process,
                                           struct mq_queue *queue,
                                           const struct mq_operation *operation,
                                           struct mq_error *, uint32_t *place);

/* Adds a remark; its text becomes JOB's. */
enum mq_result mq_process_remark(struct mq_process *process, struct mq_job *job,
                                 const struct mq_remark *remark,
                                 struct mq_error *);

/* The same where nothing may fail any more: room for COUNT more is made before,
 * and the text is the job's.
 */
enum mq_result mq_process_reserve_remarks(struct mq_process *process,
                                          size_t count, struct mq_error *);
void mq_process_put_remark(struct mq_process *process,
                           const struct mq_remark *remark);

/* Gives PROCESS copies of COUNT threads, which are JOB's, in the place of those
 * that it has.
 */
enum mq_result mq_process_set_threads(struct mq_process *process,
                                      struct mq_job *job,
                                      const struct mq_thread *threads,
                                      size_t count, struct mq_error *);

/* Gives the one of its threads with that index copies of the arguments of
 * THREAD.
 */
enum mq_result mq_process_set_arguments(struct mq_process *process,
                                        struct mq_job *job, size_t index,
                                        const struct mq_thread *thread,
                                        struct mq_error *);

/* Results of looks at it. */
void mq_process_set_looks(struct mq_process *process,
                          const struct mq_looks *looks);

/* It is not known what it waits for. */
void mq_process_forget_awaited(struct mq_process *process);

/* Makes PROCESS as it began, but for the room that its arrays have. */
void mq_process_empty(struct mq_process *process);

/* Adds a copy of PROCESS with arrays that have no room left to JOB. */
enum mq_result mq_job_add_copy(struct mq_job *job,
                               const struct mq_process *process,
                               struct mq_error *);

/* Adds a copy of a world behind those that JOB has. */
enum mq_result mq_job_add_world(struct mq_job *job, const struct mq_world *,
                                struct mq_error *);

#endif
