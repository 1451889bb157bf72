/* mpi2dd_read.h - reader of the MPI2DD tables (include/mpi2dd.h)
 *
 * No debug information is needed: the layout follows from the target's pointer
 * size and byte order.  Nothing that is read is trusted.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MPI2DD_READ_H
#define MQ_MPI2DD_READ_H

#include <stdbool.h>

#include "base/log.h"
#include "find/proctable.h"
#include "target/target.h"

/* struct MPI2DD_INFO with addresses as they are in the target. */
struct mq_mpi2dd_info {
    uint64_t address;           /* of MPI2DD_info */
    int debug_state;            /* MPI2DD_DEBUG_... */
    uint32_t debugger_flags;    /* MPI2DD_FLAG_... */
    uint32_t mpi_flags;         /* MPI2DD_MPIFLAG_... */
    uint64_t dll_name_32;
    uint64_t dll_name_64;
    uint64_t meta_host_name;
    uint64_t meta_executable_name;
    uint64_t abort_string;
    uint64_t proctable;
    uint64_t directory_table;
    uint64_t metadirectory_table;
    int64_t proctable_size;
    int64_t directory_size;
    int64_t metadirectory_size;
    int64_t meta_pid;
};

/* Reads MPI2DD_info.  mq_absent if TARGET has none; mq_failed if it cannot be
 * read or is of another kind: wrong magic, version or variant.
 */
enum mq_result mq_mpi2dd_read(struct mq_target *target, struct mq_error *,
                              struct mq_mpi2dd_info *info);

/* Whether an MPI2DD_info that can be read is at ADDRESS. */
bool mq_mpi2dd_is_at(struct mq_target *, uint64_t address);

/* The meaning of a process's DEBUG_STATE, such as "an MPI_COMM_WORLD was
 * spawned (MPI2DD_DEBUG_SPAWN)".
 */
const char *mq_mpi2dd_state_text(int debug_state);

/* The name of the DLL for debuggers of this program's own width, or why the job
 * aborts, if it does, as a block of malloc.  mq_absent where the process gives
 * none.
 */
enum mq_result mq_mpi2dd_dll_name(struct mq_target *,
                                  const struct mq_mpi2dd_info *,
                                  struct mq_error *, char **name);
enum mq_result mq_mpi2dd_abort_string(struct mq_target *,
                                      const struct mq_mpi2dd_info *,
                                      struct mq_error *, char **text);

/* How to get at another process; the first member of the caller's own struct.
 * open may fail or answer mq_absent (a host that is out of reach, which has
 * been logged); what it opened is given to close when its tables have been
 * read.
 */
struct mq_mpi2dd_opener {
    enum mq_result (*open)(struct mq_mpi2dd_opener *,
                           const struct mq_location *, struct mq_error *,
                           struct mq_target **target);
    void (*close)(struct mq_mpi2dd_opener *, struct mq_target *target);
};

/* Finds all rank processes of the job that TARGET, the process at PLACE, is a
 * part of, by way of the directories and metadirectories that it and the others
 * name; each of those is opened once, TARGET not at all.  TABLE gets each rank
 * process once, sorted by world (those of a starter first), then rank.
 * mq_absent and mq_failed are as for mq_mpi2dd_read of TARGET; later failures
 * are logged, and what can be found in spite of them is given.
 */
enum mq_result mq_mpi2dd_find_job(struct mq_target *target,
                                  const struct mq_location *place,
                                  struct mq_mpi2dd_opener *, struct mq_logger *,
                                  struct mq_error *,
                                  struct mq_proctable *table);

#endif
