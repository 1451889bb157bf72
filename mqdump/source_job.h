/* source_job.h - a whole job, by the process that started it */
#ifndef MQ_SOURCE_JOB_H
#define MQ_SOURCE_JOB_H

#include "acquire/acquire.h"
#include "mqdump/reading.h"
#include "target/gdb.h"

/* Shows the job of the process whose pid is the first of VALUES: what it says
 * and its ranks.
 */
enum mq_result mq_read_job(char *const *values,
                           const struct mq_read_options *, struct mq_reading *,
                           struct mq_error *);

/* Reads what TARGET, process PID, knows of its job (acquire.h).  Warnings leave
 * the reading incomplete.
 */
enum mq_result mq_starter_acquire(struct mq_target *target, int pid,
                                  const struct mq_read_options *,
                                  struct mq_reading *, struct mq_error *,
                                  struct mq_acquired *acquired);

/* Opens process PID of this host. */
enum mq_result mq_starter_open(int pid, const struct mq_read_options *,
                               const volatile sig_atomic_t *stopper,
                               struct mq_error *, struct mq_target **target);

#endif
