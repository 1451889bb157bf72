/* 38_crash-list.c - recurses along a list without a bound */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_update_communicator_list

/* Calls itself for the next one, and needs its own after that. */
static long count_from(struct process *process, mqs_taddr_t address)
{
    const unsigned char *object;
    volatile char own[256];
    long behind;

    own[0] = 1;
    if (address == 0)
        return 0;
    object = read_object(process, stream_elements, row_MPIR_Communicator,
                         address);
    if (object == NULL)
        return 0;
    process->reads_left = READS_LIMIT;
    behind = count_from(process, member_address(process, object,
                                     row_MPIR_Communicator_comm_next));
    return behind + own[0];
}

int mqs_update_communicator_list(mqs_process *process)
{
    struct view *view = enter(process);
    int status = right_update_communicator_list(process);

    if (view == NULL || status != mqs_ok
        || count_from(&view->process, view->catalogue.head) >= 0)
        return status;
    return err_bad_request;
}
