/* call.c - the table of MPI's functions that wait */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "waits/call.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    enum mq_wait wait;
    enum mq_company company;
} calls[] = {
    { "MPI_Recv", mq_wait_receive, mq_company_unknown },
    { "MPI_Mrecv", mq_wait_receive, mq_company_unknown },

    { "MPI_Wait", mq_wait_request, mq_company_unknown },
    { "MPI_Waitall", mq_wait_request, mq_company_unknown },
    { "MPI_Waitany", mq_wait_request, mq_company_unknown },
    { "MPI_Waitsome", mq_wait_request, mq_company_unknown },
    { "MPI_Sendrecv", mq_wait_request, mq_company_unknown },
    { "MPI_Sendrecv_replace", mq_wait_request, mq_company_unknown },

    { "MPI_Send", mq_wait_send, mq_company_unknown },
    { "MPI_Ssend", mq_wait_ssend, mq_company_unknown },
    { "MPI_Rsend", mq_wait_send, mq_company_unknown },
    { "MPI_Bsend", mq_wait_send, mq_company_unknown },
    { "MPI_Buffer_detach", mq_wait_send, mq_company_unknown },

    { "MPI_Allgather", mq_wait_collective, mq_company_data },
    { "MPI_Allgatherv", mq_wait_collective, mq_company_some },
    { "MPI_Allreduce", mq_wait_collective, mq_company_data },
    { "MPI_Alltoall", mq_wait_collective, mq_company_data },
    { "MPI_Alltoallv", mq_wait_collective, mq_company_some },
    { "MPI_Alltoallw", mq_wait_collective, mq_company_some },
    { "MPI_Barrier", mq_wait_collective, mq_company_all },
    { "MPI_Bcast", mq_wait_collective, mq_company_of_root },
    { "MPI_Exscan", mq_wait_collective, mq_company_lower },
    { "MPI_Gather", mq_wait_collective, mq_company_at_root },
    { "MPI_Gatherv", mq_wait_collective, mq_company_root_some },
    { "MPI_Reduce", mq_wait_collective, mq_company_at_root },
    { "MPI_Reduce_scatter", mq_wait_collective, mq_company_some },
    { "MPI_Reduce_scatter_block", mq_wait_collective, mq_company_data },
    { "MPI_Scan", mq_wait_collective, mq_company_lower },
    { "MPI_Scatter", mq_wait_collective, mq_company_of_root },
    { "MPI_Scatterv", mq_wait_collective, mq_company_of_root },
    { "MPI_Cart_create", mq_wait_collective, mq_company_some },
    { "MPI_Cart_sub", mq_wait_collective, mq_company_some },
    { "MPI_Comm_create", mq_wait_collective, mq_company_some },
    { "MPI_Comm_disconnect", mq_wait_collective, mq_company_unknown },
    { "MPI_Comm_dup", mq_wait_collective, mq_company_some },
    { "MPI_Comm_dup_with_info", mq_wait_collective, mq_company_some },
    { "MPI_Comm_free", mq_wait_collective, mq_company_unknown },
    { "MPI_Comm_split", mq_wait_collective, mq_company_some },
    { "MPI_Comm_split_type", mq_wait_collective, mq_company_some },
    { "MPI_Dist_graph_create", mq_wait_collective, mq_company_some },
    { "MPI_Dist_graph_create_adjacent", mq_wait_collective, mq_company_some },
    { "MPI_Graph_create", mq_wait_collective, mq_company_some },
    { "MPI_Intercomm_create", mq_wait_collective, mq_company_beyond },
    { "MPI_Intercomm_merge", mq_wait_collective, mq_company_some },
    { "MPI_Neighbor_allgather", mq_wait_collective, mq_company_some },
    { "MPI_Neighbor_allgatherv", mq_wait_collective, mq_company_some },
    { "MPI_Neighbor_alltoall", mq_wait_collective, mq_company_some },
    { "MPI_Neighbor_alltoallv", mq_wait_collective, mq_company_some },
    { "MPI_Neighbor_alltoallw", mq_wait_collective, mq_company_some },
    { "MPI_Win_allocate", mq_wait_collective, mq_company_unknown },
    { "MPI_Win_allocate_shared", mq_wait_collective, mq_company_unknown },
    { "MPI_Win_create", mq_wait_collective, mq_company_unknown },
    { "MPI_Win_create_dynamic", mq_wait_collective, mq_company_unknown },
    { "MPI_Win_free", mq_wait_collective, mq_company_unknown },
    { "MPI_File_close", mq_wait_collective, mq_company_unknown },
    { "MPI_File_open", mq_wait_collective, mq_company_unknown },
    { "MPI_File_read_all", mq_wait_collective, mq_company_unknown },
    { "MPI_File_read_at_all", mq_wait_collective, mq_company_unknown },
    { "MPI_File_read_ordered", mq_wait_collective, mq_company_unknown },
    { "MPI_File_set_size", mq_wait_collective, mq_company_unknown },
    { "MPI_File_set_view", mq_wait_collective, mq_company_unknown },
    { "MPI_File_sync", mq_wait_collective, mq_company_unknown },
    { "MPI_File_write_all", mq_wait_collective, mq_company_unknown },
    { "MPI_File_write_at_all", mq_wait_collective, mq_company_unknown },
    { "MPI_File_write_ordered", mq_wait_collective, mq_company_unknown },
    { "MPI_File_preallocate", mq_wait_collective, mq_company_unknown },
    { "MPI_File_read_all_end", mq_wait_collective, mq_company_unknown },
    { "MPI_File_read_at_all_end", mq_wait_collective, mq_company_unknown },
    { "MPI_File_read_ordered_end", mq_wait_collective, mq_company_unknown },
    { "MPI_File_seek_shared", mq_wait_collective, mq_company_unknown },
    { "MPI_File_set_atomicity", mq_wait_collective, mq_company_unknown },
    { "MPI_File_write_all_end", mq_wait_collective, mq_company_unknown },
    { "MPI_File_write_at_all_end", mq_wait_collective, mq_company_unknown },
    { "MPI_File_write_ordered_end", mq_wait_collective, mq_company_unknown },

    { "MPI_Comm_create_from_group", mq_wait_somebody, mq_company_unknown },
    { "MPI_Comm_create_group", mq_wait_somebody, mq_company_unknown },
    { "MPI_Intercomm_create_from_groups", mq_wait_somebody, mq_company_unknown },
    { "MPI_Session_finalize", mq_wait_somebody, mq_company_unknown },
    { "MPI_Win_complete", mq_wait_somebody, mq_company_unknown },
    { "MPI_Win_fence", mq_wait_somebody, mq_company_unknown },
    { "MPI_Win_flush", mq_wait_target, mq_company_unknown },
    { "MPI_Win_flush_all", mq_wait_target, mq_company_unknown },
    { "MPI_Win_flush_local", mq_wait_target, mq_company_unknown },
    { "MPI_Win_flush_local_all", mq_wait_target, mq_company_unknown },
    { "MPI_Win_lock", mq_wait_target, mq_company_unknown },
    { "MPI_Win_lock_all", mq_wait_target, mq_company_unknown },
    { "MPI_Win_start", mq_wait_somebody, mq_company_unknown },
    { "MPI_Win_unlock", mq_wait_target, mq_company_unknown },
    { "MPI_Win_unlock_all", mq_wait_target, mq_company_unknown },
    { "MPI_Win_wait", mq_wait_somebody, mq_company_unknown },

    { "MPI_Probe", mq_wait_probe, mq_company_unknown },
    { "MPI_Mprobe", mq_wait_probe, mq_company_unknown },
    { "MPI_Comm_accept", mq_wait_connection, mq_company_unknown },
    { "MPI_Comm_connect", mq_wait_connection, mq_company_unknown },
    { "MPI_Comm_join", mq_wait_connection, mq_company_unknown },
    { "MPI_Comm_spawn", mq_wait_unseen, mq_company_unknown },
    { "MPI_Comm_spawn_multiple", mq_wait_unseen, mq_company_unknown },

    { "MPI_Test", mq_wait_polls, mq_company_unknown },
    { "MPI_Testall", mq_wait_polls, mq_company_unknown },
    { "MPI_Testany", mq_wait_polls, mq_company_unknown },
    { "MPI_Testsome", mq_wait_polls, mq_company_unknown },
    { "MPI_Iprobe", mq_wait_polls, mq_company_unknown },
    { "MPI_Improbe", mq_wait_polls, mq_company_unknown },
    { "MPI_Parrived", mq_wait_polls, mq_company_unknown },
    { "MPI_Request_get_status", mq_wait_polls, mq_company_unknown },
    { "MPI_Request_get_status_all", mq_wait_polls, mq_company_unknown },
    { "MPI_Request_get_status_any", mq_wait_polls, mq_company_unknown },
    { "MPI_Request_get_status_some", mq_wait_polls, mq_company_unknown },
    { "MPI_Win_test", mq_wait_polls, mq_company_unknown },
    { "MPI_Win_sync", mq_wait_polls, mq_company_unknown },
    { "MPI_Get", mq_wait_polls, mq_company_unknown },
    { "MPI_Rget", mq_wait_polls, mq_company_unknown },
    { "MPI_Get_accumulate", mq_wait_polls, mq_company_unknown },
    { "MPI_Rget_accumulate", mq_wait_polls, mq_company_unknown },
    { "MPI_Fetch_and_op", mq_wait_polls, mq_company_unknown },
    { "MPI_Compare_and_swap", mq_wait_polls, mq_company_unknown },

    { "MPI_Init", mq_wait_starting, mq_company_unknown },
    { "MPI_Init_thread", mq_wait_starting, mq_company_unknown },
    { "MPI_Finalize", mq_wait_ending, mq_company_unknown },
    { "MPI_Abort", mq_wait_ending, mq_company_unknown }
};

enum { call_count = sizeof calls / sizeof calls[0] };

/* Without Fortran's underscores, and the "_c" of counts of type MPI_Count. */
static size_t trimmed_length(const char *name)
{
    size_t length = strlen(name);

    while (length > 0 && name[length - 1] == '_')
        length--;
    if (length > 2 && strncasecmp(name + length - 2, "_c", 2) == 0)
        length -= 2;
    return length;
}

bool mq_call_is_same(const char *left, const char *right)
{
    size_t length = trimmed_length(left);

    return length == trimmed_length(right)
           && strncasecmp(left, right, length) == 0;
}

/* The row of CALL, or call_count. */
static size_t find(const char *call)
{
    size_t length, i;

    if (call[0] == 'P' || call[0] == 'p')
        call++;
    length = trimmed_length(call);
    for (i = 0; i < call_count; i++)
        if (strncasecmp(call, calls[i].name, length) == 0
            && calls[i].name[length] == '\0')
            break;
    return i;
}

enum mq_wait mq_call_wait(const char *call)
{
    size_t row;

    if (call == NULL)
        return mq_wait_unknown;
    row = find(call);
    return row < call_count ? calls[row].wait : mq_wait_none;
}

enum mq_company mq_call_company(const char *call)
{
    size_t row = call != NULL ? find(call) : call_count;

    return row < call_count ? calls[row].company : mq_company_unknown;
}

bool mq_call_is_persistent(const char *call)
{
    return strstr(call, "_init") != NULL;
}

enum mq_company mq_call_joined_company(const char *call)
{
    char blocking[64];

    if (strncmp(call, "MPI_", 4) != 0 || strlen(call) <= 5
        || mq_call_is_persistent(call))
        return mq_company_unknown;
    if (strncmp(call, "MPI_Comm_idup", 13) == 0)
        return mq_call_company("MPI_Comm_dup");
    snprintf(blocking, sizeof blocking, "MPI_%s", call + 5);
    return mq_call_company(blocking);
}

const char *mq_call_name(const char *call)
{
    size_t row = call != NULL ? find(call) : call_count;

    return row < call_count ? calls[row].name : call;
}

bool mq_call_blocks(enum mq_wait wait)
{
    return wait >= mq_wait_receive && wait <= mq_wait_unseen;
}

bool mq_call_may_spin(enum mq_wait wait)
{
    return wait == mq_wait_polls || wait == mq_wait_target;
}
