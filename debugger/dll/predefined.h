/* predefined.h - predefined handles of current MPI libraries
 *
 * In MPICH and all that share its ABI they are numbers, and in Open MPI the
 * addresses of symbols.  tests/dll/test_predefined.sh compares both with
 * mpi.h.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PREDEFINED_H
#define MQ_PREDEFINED_H

#include "model/job.h"
#include "target/target.h"

/* A handle of MPICH's is its number; NAME in mpi.h, SYMBOL in Open MPI. */
struct mq_predefined {
    const char *name, *symbol;
    uint32_t number;
};

/* The communicators, and then the datatypes, the common ones first. */
enum { mq_predefined_communicators = 2 };
extern const struct mq_predefined mq_predefined_handles[];
extern const size_t mq_predefined_count;

/* Whether handles are numbers; *WORLD is MPI_COMM_WORLD. */
enum mq_result mq_predefined_world(struct mq_target *, struct mq_error *,
                                   bool *are_numbers, uint64_t *world);

/* The name of a datatype and the bytes of one element; mq_absent if it is not
 * predefined.
 */
enum mq_result mq_predefined_datatype(struct mq_target *, bool are_numbers,
                                      uint64_t handle, struct mq_error *,
                                      const char **name, uint64_t *size);

/* MPI_PROC_NULL in a process: MPICH's, Open MPI's if handles are not numbers,
 * or that of the standard's ABI if its call is in a library of that.
 */
int mq_predefined_proc_null(const struct mq_process *, bool are_numbers);

/* Names what MPI itself defines among the certain arguments of PROCESS, which
 * was read from the target.
 */
enum mq_result mq_predefined_annotate(struct mq_target *,
                                      const struct mq_process *process,
                                      struct mq_error *);

#endif
