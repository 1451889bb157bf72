/* handle_file.h - candidate handle DLLs of a process
 *
 * First those that the process names in mpidbg_dll_locations, which a debugger
 * takes the first of that is of use; then the one beside its message-queue DLL,
 * for MPIs that name none.  None is loaded here.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_HANDLE_FILE_H
#define MQ_HANDLE_FILE_H

#include <stddef.h>

#include "target/target.h"

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

#endif
