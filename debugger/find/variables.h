/* variables.h - the MPIR and MPI2DD variables of starters and ranks
 *
 * A process is looked at while it runs on: its own files say where it has the
 * variables (target/loaded.h), and its memory what is there.  Nothing else of
 * it is known, no type and no thread.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_VARIABLES_H
#define MQ_VARIABLES_H

#include "process/pin.h"
#include "target/loaded.h"
#include "target/target.h"

/* In the order of their table: those of include/mpir.h, of "TV Process
 * Acquisition with MPICH" first, then of dll/choice.h and include/mpi2dd.h.
 */
enum mq_variable {
    mq_mpir_breakpoint,         /* a function */
    mq_mpir_debug_state,
    mq_mpir_proctable,
    mq_mpir_proctable_size,
    mq_mpir_being_debugged,
    mq_mpir_debug_gate,
    mq_mpir_abort_string,
    mq_mpir_i_am_starter,
    mq_mpir_acquired_pre_main,
    mq_mpir_partial_attach_ok,
    mq_mpir_force_to_main,      /* from here on: later additions */
    mq_mpir_executable_path,
    mq_mpir_server_arguments,
    mq_mpir_attach_fifo,
    mq_mpir_symbols,
    mq_variable_dll_name = mq_mpir_symbols,
    mq_variable_dll_info,
    mq_variable_ignore_queues,
    mq_variable_info,           /* MPI2DD's */
    mq_variable_dll_locations,
    mq_variables
};

/* Their names, and how many bytes each has at least. */
extern const struct mq_loaded_name mq_variable_names[mq_variables];

/* Gives the addresses of those of process PID; 0 where it has none.  FILES
 * keeps what is known of files, all zero at first.
 */
enum mq_result mq_variables_find(struct mq_loaded *files, int pid,
                                 enum mq_loaded_use, struct mq_error *,
                                 uint64_t addresses[mq_variables]);

/* Opens PIN, a process of this host, as a target that has the variables and
 * nothing else.  It is only read, and what it executes since is never read;
 * mq_absent if it has none of the variables.
 */
enum mq_result mq_variables_open(struct mq_loaded *files,
                                 const struct mq_pin *, struct mq_error *,
                                 struct mq_target **target);

/* Whether TARGET, which is such a one, has the variable. */
bool mq_variables_has(const struct mq_target *target, enum mq_variable);

#endif
