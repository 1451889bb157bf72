/* world_members.h - communicator members of other MPI_COMM_WORLDs */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_WORLD_MEMBERS_H
#define MQ_WORLD_MEMBERS_H

#include "model/job.h"
#include "mpi_interface.h"
#include "target/target.h"

/* Fills in by which number the MPI library calls the world of PROCESS, which is
 * TARGET and was read by any DLL, and the members of its communicators whose
 * groups are not known, from the DLL of IMAGE, one of TARGET's.  mq_absent if
 * that does not.
 */
enum mq_result mq_dll_add_members(mqs_image *image, struct mq_target *target,
                                  struct mq_process *process,
                                  struct mq_error *);

#endif
