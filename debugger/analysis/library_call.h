/* library_call.h - the library function that a rank outside MPI is in
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LIBRARY_CALL_H
#define MQ_LIBRARY_CALL_H

#include "model/job.h"
#include "mpi/waiting.h"

/* All null: there is none, or it is the C library's. */
struct mq_called {
    const struct mq_frame *function;
    const struct mq_frame *caller;      /* of the program; null: not known */
    enum mq_waiting waiting;            /* whom the function waits for */
};

/* The outermost function that is known to wait, else the outermost one of a
 * library that the program has called.
 */
struct mq_called mq_called_find(const struct mq_process *);

/* Whether it waits for ranks in a library other than MPI's. */
bool mq_waits_past_mpi(const struct mq_process *);

#endif
