/* other_threads.h - where threads wait beside those that stand for their ranks
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_OTHER_THREADS_H
#define MQ_OTHER_THREADS_H

#include <stdio.h>

#include "analysis/findings.h"

/* Whether THREAD is one to be told of: in an MPI call that waits, or at a
 * barrier of OpenMP.
 */
bool mq_other_thread_waits(const struct mq_thread *thread);

/* Writes a line for each such thread but the first of its process, in which ranks
 * that say the same are taken together; at most MOST lines, if that is not 0.
 */
enum mq_result mq_other_threads_write(const struct mq_analysis *, size_t most,
                                      size_t width, FILE *, struct mq_error *);

#endif
