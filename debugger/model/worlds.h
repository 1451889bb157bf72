/* worlds.h - several MPI_COMM_WORLDs as one job
 *
 * In each the ranks count from 0, and the ranks in its communicators are not
 * unique in the job.  Processes are therefore read as of one world, and then
 * joined: from there on each rank is a place in the whole job (struct
 * mq_world), so that users of a job need not care.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_WORLDS_H
#define MQ_WORLDS_H

#include "model/job.h"

/* Joins the processes of JOB from FIRST on, each with its own rank and the
 * index of its world in the COUNT that are given, of which name and size (or
 * less: it is seen from the processes, too) are known.  They go behind those
 * that JOB has.  On failure, also where there are more ranks than a job can
 * have, JOB stays as it was.
 *
 * To which world a communicator's group belongs is known from all of its
 * members together, never from one:
 *   - the group is its own, if every member of this world that was read lists
 *     it, each at its place;
 *   - it is that of another world, if that lists this group in turn: all
 *     members of both have such a communicator, each at its place, and no other
 *     world does, nor has ranks that were not read and might;
 *   - where it is not known whether it is an inter-communicator (enum mq_kind),
 *     only one of both may be true.
 * A communicator that stays open has no group any more, so that its peers are
 * not known and nothing can be claimed of them; an error remark says so where
 * there are any.
 */
enum mq_result mq_worlds_join(struct mq_job *job, size_t first,
                              const struct mq_world *worlds, size_t count,
                              struct mq_error *);

/* Adds a world of SIZE ranks behind those of JOB.  NAME is the job's. */
enum mq_result mq_worlds_add(struct mq_job *job, const char *name, int size,
                             struct mq_error *);

/* The index of the world in which PLACE is, and as *RANK its rank there; -1 if
 * JOB has no worlds, or none of them holds it.
 */
int mq_worlds_find(const struct mq_job *job, int64_t place, int *rank);

#endif
