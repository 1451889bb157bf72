/* acquire.h - the state of a job and its processes, from MPIR or MPI2DD
 *
 * The process is the one that started the job (mpir.h) or, with the tables of
 * the MPI-2 draft (mpi2dd.h), any of it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ACQUIRE_H
#define MQ_ACQUIRE_H

#include <stdbool.h>

#include "base/log.h"
#include "find/mpi2dd_read.h"
#include "find/proctable.h"
#include "target/target.h"

/* Where a job is, as it says itself. */
enum mq_acquired_state {
    mq_acquired_starting,            /* its processes are not known yet */
    mq_acquired_spawned,
    mq_acquired_aborting,
    mq_acquired_unknown              /* it does not say */
};

struct mq_acquired {
    enum mq_acquired_state state;
    bool is_starter;            /* the process is no rank of the job */
    bool is_first;              /* it is rank 0: it has MPIR's variables, and
                                   says nowhere that it is a starter */
    bool acquired_pre_main;     /* the ranks were stopped before their main */
    bool partial_attach_ok;     /* releasing this process releases the job */
    struct mq_proctable table;
};

/* Reads what TARGET, process PID of this host, knows.  Its messages, such as
 * the reason of an abort, are logged.  OPENER leads to other processes.
 * mq_absent if there is nothing that a debugger could look for.
 */
enum mq_result mq_acquire(struct mq_target *target, int pid,
                          struct mq_mpi2dd_opener *, struct mq_logger *,
                          struct mq_error *, struct mq_acquired *acquired);
void mq_acquired_deinit(struct mq_acquired *acquired);

/* Marks TARGET as being debugged and opens its gate, by all means that it has.
 */
enum mq_result mq_acquire_release(struct mq_target *target, struct mq_error *);

/* Whether TARGET is in MPI_Init, knows that it is being debugged, and has not
 * been released: its library holds it there.
 */
bool mq_acquire_is_held(struct mq_target *target);

#endif
