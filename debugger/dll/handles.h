/* handles.h - meaning of the MPI handles of a process
 *
 * Hosts a handle DLL (mpi_handles_interface.h), of whatever MPI and of either
 * version of the interface: version 1 gives less.  Its answers become lines of
 * words, or answers for mq_awaited_find.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HANDLES_H
#define MQ_HANDLES_H

#include <stddef.h>

#include "base/strbuf.h"
#include "model/awaited.h"
#include "model/job.h"
#include "target/target.h"

enum mq_handle_kind {
    mq_handle_comm,
    mq_handle_datatype,
    mq_handle_request,
    mq_handle_group,
    mq_handle_op,
    mq_handle_errhandler,
    mq_handle_kinds
};

/* "comm", "datatype" and so on. */
extern const char *const mq_handle_kind_names[mq_handle_kinds];

/* A process that is open in a handle DLL. */
struct mq_handles;

/* Candidates of a process: first those that it names in mpidbg_dll_locations,
 * which a debugger takes the first of that is of use; then the one beside its
 * message-queue DLL, for MPIs that name none.  None is loaded here.
 */

/* The file that entry INDEX of TARGET's mpidbg_dll_locations names, as a block
 * of malloc.  mq_absent behind the last, and for a target that has no such list
 * or whose word on DLLs does not count (may_name_dll); mq_failed if the file is
 * not to be trusted (mq_trust_file) or cannot be read, and more may follow.
 */
enum mq_result mq_handle_file_named(struct mq_target *target, size_t index,
                                    struct mq_error *, char **file);

/* QUEUES, a message-queue DLL, with "_handles" before ".so", in the same way.
 */
enum mq_result mq_handle_file_beside(const char *queues, struct mq_error *,
                                     char **file);

/* Opens TARGET, which must outlive it, in its handle DLL: the first of use that
 * it names in mpidbg_dll_locations, else the one beside the message-queue DLL
 * QUEUES, its name with "_handles" before ".so".  mq_absent if
 * there is none.  The library is trusted and exports the interface, by its
 * file; *FILE, a block of malloc, is the one that was chosen.
 */
enum mq_result mq_handles_create(const char *queues, struct mq_target *target,
                                 struct mq_error *, char **file,
                                 struct mq_handles **handles);

/* The same with FILE, which the caller trusts. */
enum mq_result mq_handles_open(const char *file, struct mq_target *target,
                               struct mq_error *, struct mq_handles **handles);

/* HANDLES may be null. */
void mq_handles_destroy(struct mq_handles *);

/* Adds the meaning of VALUE to WORDS, as lines that end with '\n'.  mq_absent
 * if the DLL does not know that kind at all.
 */
enum mq_result mq_handles_describe(struct mq_handles *, enum mq_handle_kind,
                                   uint64_t value, struct mq_error *,
                                   struct mq_strbuf *words);

/* Fills in what is known of each communicator of PROCESS, which is JOB's, and
 * of the datatype of each operation: about and datatype.  Gaps become a line of
 * about.
 */
enum mq_result mq_handles_annotate(struct mq_handles *, struct mq_job *job,
                                   struct mq_process *process,
                                   struct mq_error *);

/* Fills in the kind of each communicator of PROCESS that the DLL knows. */
void mq_handles_add_kinds(struct mq_handles *, struct mq_process *process);

/* Names what MPI itself defines among the certain arguments of PROCESS; the
 * names are the DLL's, for ever.
 */
void mq_handles_name_arguments(const struct mq_handles *,
                               const struct mq_process *);

/* Answers of the DLL for mq_awaited_find, owned by HANDLES.  What the DLL does
 * not know is mq_absent.
 */
struct mq_resolver *mq_handles_resolver(struct mq_handles *);

#endif
