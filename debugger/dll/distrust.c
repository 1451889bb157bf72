/* What message-queue DLLs say that is known not to be so. */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/distrust.h"

#include <stddef.h>
#include <string.h>

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

static const struct mq_distrust distrusted[] = {
    { "libompi_dbg_msgq", "MPI_COMM_NULL", mqs_unexpected_messages,
      mend_open_mpi }
};

const struct mq_distrust *mq_distrust_of(const char *path)
{
    const char *slash, *name;

    if (path == NULL)
        return NULL;
    slash = strrchr(path, '/');
    name = slash != NULL ? slash + 1 : path;
    for (size_t i = 0; i < sizeof distrusted / sizeof distrusted[0]; i++)
        if (strncmp(name, distrusted[i].file, strlen(distrusted[i].file)) == 0)
            return &distrusted[i];
    return NULL;
}
