/* distrust.c - what message-queue DLLs say that is known not to be so */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/distrust.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"

/* As a number of any width, with its sign or without. */
static bool is_minus_one(long long said)
{
    return said == -1 || said == 0xffffffff;
}

/* While a process waits for several requests, Open MPI keeps the address of
 * what is signalled where it keeps whether a request is complete, so that its
 * DLL takes each for complete.  A receive that is has a source and a tag; of a
 * send nothing tells.  The name of a datatype is cut to four characters.
 */
static bool mend_open_mpi(mqs_op_class queue, mqs_pending_operation *operation)
{
    const size_t name = 2, cut = 4;     /* the line that it is; its length */

    if (strlen(operation->extra_text[name]) <= cut)
        operation->extra_text[name][0] = '\0';
    if (operation->status != mqs_st_complete)
        return true;
    if (queue == mqs_pending_receives
        && is_minus_one((long long)operation->actual_local_rank)
        && is_minus_one((long long)operation->actual_tag))
        operation->status = mqs_st_pending;
    return queue != mqs_pending_sends;
}

/* The member NAME, a pointer, of the struct TYPE at ADDRESS. */
static bool read_member(struct mq_target *target, const char *type_name,
                        uint64_t address, const char *name, uint64_t *value)
{
    const struct mq_target_type *type;
    struct mq_error why;
    uint64_t offset = 0;

    return mq_target_find_type(target, type_name, &why, &type) == mq_ok
           && mq_target_find_member(target, type, name, &why, &offset)
              == mq_ok
           && mq_target_read_pointer(target, address + offset, &why, value)
              == mq_ok;
}

/* Its DLL tells the local group of inter-communicators, too, whose messages
 * name ranks of the remote one.  Of others both are one group.  The id is the
 * place in a table.
 */
static bool is_inter_of_open_mpi(struct mq_target *target, uint64_t id)
{
    static const char type[] = "ompi_communicator_t";
    uint64_t width = (uint64_t)target->sizes.pointer_size;
    uint64_t table = 0, places = 0, it = 0, local = 0, remote = 0;
    struct mq_error why;

    return id <= INT32_MAX
           && mq_target_find_symbol(target, "ompi_mpi_communicators", &why,
                                    &table) == mq_ok
           && read_member(target, "opal_pointer_array_t", table, "addr",
                          &places)
           && mq_target_read_pointer(target, places + id * width, &why, &it)
              == mq_ok
           && read_member(target, type, it, "c_local_group", &local)
           && read_member(target, type, it, "c_remote_group", &remote)
           && local != remote;
}

static const struct mq_distrust distrusted[] = {
    { "libompi_dbg_msgq", "MPI_COMM_NULL", mqs_unexpected_messages,
      mend_open_mpi, is_inter_of_open_mpi }
};

const struct mq_distrust *mq_distrust_of(const char *path)
{
    const char *name = path != NULL ? mq_text_last_name(path) : "";

    for (size_t i = 0; i < sizeof distrusted / sizeof distrusted[0]; i++)
        if (strncmp(name, distrusted[i].file, strlen(distrusted[i].file)) == 0)
            return &distrusted[i];
    return NULL;
}
