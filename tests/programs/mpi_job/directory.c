/* directory.c - tables of the MPI-2 draft
 *
 * Linked into a job that is compiled with MPI2DD: the first process is
 * directory and metadirectory, and each rank names it.  Nothing is said in the
 * older way then.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "mpi_job.h"
#include "mpir_variables.h"

#include "../../../include/mpi2dd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct MPI2DD_INFO MPI2DD_info = {
    { 'M', 'P', 'I', '2', 0x7f }, MPI2DD_VERSION, MPI2DD_VARIANT, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, { 0 }
};

static struct MPI2DD_PROCDESC ranks[max_ranks];
static struct MPI2DD_DIRECTORYENTRY directory, metadirectory;

__attribute__((__noinline__)) void MPI2DD_breakpoint(void)
{
    __asm__ volatile ("");
}

static void tell(MPI2DD_BYTE_T debug_state)
{
    MPI2DD_info.debug_state = debug_state;
    MPI2DD_breakpoint();
}

/* Names processes that are out of this debugger's reach. */
static void name_others(const char *host)
{
    directory.host_name = metadirectory.host_name = host;
    directory.pid = 4711;
    metadirectory.pid = 4712;
    MPI2DD_info.directory_table = &directory;
    MPI2DD_info.metadirectory_table = &metadirectory;
    MPI2DD_info.directory_size = MPI2DD_info.metadirectory_size = 1;
}

/* Lists the ranks of a world that this process, rank 0 of WORLD, spawned,
 * behind COUNT others; how many there are then.
 */
static int list_spawned(const char *pids, const char *world, int count)
{
    static struct MPI2DD_SPAWNDESC spawn;
    static char child_world[32];
    int rank = 0;

    spawn.parent_comm_world_id = world;
    snprintf(child_world, sizeof child_world, "world-%d", atoi(pids));
    for (; pids != NULL && count < max_ranks; rank++, count++) {
        ranks[count] = ranks[0];
        ranks[count].spawn_desc = &spawn;
        ranks[count].comm_world_id = child_world;
        ranks[count].pid = atoi(pids);
        ranks[count].rank = rank;
        pids = strchr(pids, ',');
        if (pids != NULL)
            pids++;
    }
    return count;
}

void directory_publish(const MPIR_PROCDESC *table, int count)
{
    static char world[32];
    int rank;

    snprintf(world, sizeof world, "world-%d", getpid());
    for (rank = 0; rank < count; rank++) {
        ranks[rank].host_name = table[rank].host_name;
        ranks[rank].executable_name = table[rank].executable_name;
        ranks[rank].comm_world_id = world;
        ranks[rank].pid = table[rank].pid;
        ranks[rank].rank = rank;
    }
    if (job_options.spawned != NULL)
        count = list_spawned(job_options.spawned, world, count);
    MPI2DD_info.proctable = ranks;
    MPI2DD_info.proctable_size = count;
    MPI2DD_info.mpi_flags = MPI2DD_MPIFLAG_I_AM_DIR |
                            MPI2DD_MPIFLAG_I_AM_METADIR;
    if (job_options.directory != NULL)
        name_others(job_options.directory);
    tell(MPI2DD_DEBUG_START);
    if (job_options.event > 0 && !job_options.speaks)
        tell((MPI2DD_BYTE_T)job_options.event);
}

void directory_join(void)
{
    MPI2DD_info.meta_host_name = "localhost";
    MPI2DD_info.meta_executable_name = job_options.program;
    MPI2DD_info.meta_pid = getppid();
}

void directory_abort(const char *why)
{
    if (job_options.event > 0 && job_options.speaks)
        tell((MPI2DD_BYTE_T)job_options.event);
    MPI2DD_info.abort_string = why;
    tell(MPI2DD_DEBUG_ABORT);
}

int directory_is_debugged(void)
{
    return (MPI2DD_info.debugger_flags & MPI2DD_FLAG_BEING_DEBUGGED) != 0;
}

int directory_gate(void)
{
    return (MPI2DD_info.debugger_flags & MPI2DD_FLAG_GATE) != 0;
}
