#include "analysis/call.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;           /* without MPI_ */
    enum mq_wait wait;
} calls[] = {
    { "Recv", mq_wait_receive },
    { "Mrecv", mq_wait_receive },

    { "Wait", mq_wait_request },
    { "Waitall", mq_wait_request },
    { "Waitany", mq_wait_request },
    { "Waitsome", mq_wait_request },
    { "Sendrecv", mq_wait_request },
    { "Sendrecv_replace", mq_wait_request },

    { "Send", mq_wait_send },
    { "Ssend", mq_wait_send },
    { "Rsend", mq_wait_send },

    { "Allgather", mq_wait_collective },
    { "Allgatherv", mq_wait_collective },
    { "Allreduce", mq_wait_collective },
    { "Alltoall", mq_wait_collective },
    { "Alltoallv", mq_wait_collective },
    { "Alltoallw", mq_wait_collective },
    { "Barrier", mq_wait_collective },
    { "Bcast", mq_wait_collective },
    { "Exscan", mq_wait_collective },
    { "Gather", mq_wait_collective },
    { "Gatherv", mq_wait_collective },
    { "Reduce", mq_wait_collective },
    { "Reduce_scatter", mq_wait_collective },
    { "Reduce_scatter_block", mq_wait_collective },
    { "Scan", mq_wait_collective },
    { "Scatter", mq_wait_collective },
    { "Scatterv", mq_wait_collective },
    { "Cart_create", mq_wait_collective },
    { "Cart_sub", mq_wait_collective },
    { "Comm_create", mq_wait_collective },
    { "Comm_dup", mq_wait_collective },
    { "Comm_free", mq_wait_collective },
    { "Comm_split", mq_wait_collective },
    { "Graph_create", mq_wait_collective },
    { "Intercomm_create", mq_wait_collective },
    { "Intercomm_merge", mq_wait_collective },
    { "File_close", mq_wait_collective },
    { "File_open", mq_wait_collective },
    { "File_read_all", mq_wait_collective },
    { "File_read_at_all", mq_wait_collective },
    { "File_read_ordered", mq_wait_collective },
    { "File_set_size", mq_wait_collective },
    { "File_set_view", mq_wait_collective },
    { "File_sync", mq_wait_collective },
    { "File_write_all", mq_wait_collective },
    { "File_write_at_all", mq_wait_collective },
    { "File_write_ordered", mq_wait_collective },

    { "Probe", mq_wait_unseen },
    { "Mprobe", mq_wait_unseen },
    { "Buffer_detach", mq_wait_unseen },
    { "Comm_accept", mq_wait_unseen },
    { "Comm_connect", mq_wait_unseen },
    { "Comm_disconnect", mq_wait_unseen },
    { "Comm_spawn", mq_wait_unseen },
    { "Comm_spawn_multiple", mq_wait_unseen },
    { "Init", mq_wait_unseen },
    { "Init_thread", mq_wait_unseen },
    { "Finalize", mq_wait_unseen }
};

static size_t trimmed_length(const char *name)
{
    size_t length = strlen(name);

    while (length > 0 && name[length - 1] == '_')
        length--;
    return length;
}

enum mq_wait mq_call_wait(const char *call)
{
    size_t length;

    if (call == NULL)
        return mq_wait_unknown;
    if (strncasecmp(call, "MPI_", 4) != 0)
        return mq_wait_none;
    call += 4;
    length = trimmed_length(call);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strncasecmp(call, calls[i].name, length) == 0
            && calls[i].name[length] == '\0')
            return calls[i].wait;
    return mq_wait_none;
}
