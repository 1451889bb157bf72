/* analysis.h - why a job makes no progress
 *
 * Works on the plain structs of job.h, whatever DLL they come from.
 *
 * Each rank that waits has a condition, whose atoms are made by one file for
 * each kind of call: receive.c, send.c, requests.c, collective.c and so on.
 * The heads of waits.c and state.c say by which evidence a rank goes on.
 *
 * A rank is stuck for certain only if proof.c proves that it stays in its call
 * until its condition is met, each rank was given, once, of one MPI_COMM_WORLD,
 * and those that it needs are stuck for certain, too; what depends on anything
 * less is possible (stuck.h).  MPI_Finalize, exit, abort and the end of a
 * process are for ever: a rank that waits for such a rank is stuck.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ANALYSIS_H
#define MQ_ANALYSIS_H

#include "analysis/findings.h"

/* JOB must outlive the analysis and not change. */
enum mq_result mq_analyse(const struct mq_job *job, struct mq_error *error,
                          struct mq_analysis **analysis);
void mq_analysis_destroy(struct mq_analysis *analysis);

/* How many ranks a signal has stopped. */
size_t mq_stopped_ranks(const struct mq_analysis *);

#endif
