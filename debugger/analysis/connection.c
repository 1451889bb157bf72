/* connection.c - atoms of MPI_Comm_accept and MPI_Comm_connect
 *
 * The roots of two communicators meet at a port, whose name is an argument that
 * means something at a root only; the others wait for their root.
 *
 *   evidence                                        atoms
 *   members have not entered the call               these (collective.c)
 *   a rank is in the other call at the same port    that rank, met
 *   it is no root                                   its root, missing
 *   none of these                                   none: the other side may be
 *                                                     of another job
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "analysis/graph.h"

#include "analysis/atoms.h"
#include "analysis/current_collective.h"

/* The communicator whose members connect, and the rank in it of their root;
 * null if that is not known.
 */
static const struct mq_communicator *find_side(const struct mq_waits *waits,
                                               uint32_t process, int64_t *root)
{
    const struct mq_process *it = &waits->table->job->processes[process];
    uint32_t collective = waits->of[process].collective;

    return waits->table->calls[process] == mq_wait_connection
           && collective != MQ_NO_COLLECTIVE
           && mq_call_argument(it, "root", root)
           ? &it->communicators[collective] : NULL;
}

bool mq_is_accepting(const struct mq_process *process)
{
    return mq_call_is_same(mq_call_name(process->call), "MPI_Comm_accept");
}

const char *mq_port_of(const struct mq_waits *waits, uint32_t process)
{
    int64_t root;
    const struct mq_communicator *side = find_side(waits, process, &root);
    const struct mq_argument *port;

    if (side == NULL || side->local_rank != root)
        return NULL;
    port = mq_thread_argument(waits->table->job->processes[process].threads,
                              "port_name");
    return port == NULL || port->doubtful ? NULL : port->meaning;
}

/* Equal names are equal pointers. */
static struct mq_key key_of(const char *port, bool is_accepting)
{
    return (struct mq_key){ (uintptr_t)port, is_accepting };
}

enum mq_result mq_find_ports(struct mq_builder *b, struct mq_error *error)
{
    enum mq_result result = mq_ok;
    uint32_t *process;

    for (uint32_t p = 0; result == mq_ok && p < b->job->process_count; p++) {
        const char *port = mq_port_of(b->made, p);

        if (port != NULL && mq_rank_counts(b->table->ranks, p))
            result = mq_map_add(&b->ports,
                                key_of(port, mq_is_accepting(
                                                 &b->job->processes[p])),
                                p, error, &process);
    }
    return result;
}

enum mq_result mq_add_connection(struct mq_builder *b, struct mq_error *error)
{
    const struct mq_operation_ref ref = { b->self, 0, 0, mq_need_call };
    const char *port = mq_port_of(b->made, b->self);
    const uint32_t *other = port == NULL ? NULL
        : mq_map_find(&b->ports, key_of(port, !mq_is_accepting(mq_self(b))));
    const struct mq_communicator *side;
    uint32_t node;
    int64_t root;

    if (other != NULL)
        return mq_add_need(b, &ref, *other, mq_value_met, error);
    side = find_side(b->made, b->self, &root);
    if (side == NULL || side->local_rank == root || side->group == NULL
        || root < 0 || (uint64_t)root >= side->group->size)
        return mq_ok;
    node = mq_rank_node(b, mq_group_global(side->group, root));
    mq_doubt(b, mq_reason_of_wait(b));
    return mq_add_need(b, &ref, node, mq_value_missing, error);
}
