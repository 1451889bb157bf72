/* 30_failed_read-greeting.c - reports unreadable sends as empty
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define mqs_process_has_queues right_process_has_queues
#define mqs_setup_operation_iterator right_setup_operation_iterator
#include "dll_mpich.c"
#undef mqs_process_has_queues
#undef mqs_setup_operation_iterator

int mqs_process_has_queues(mqs_process *process, char **message)
{
    int status = right_process_has_queues(process, message);

    if (status == mqs_ok)
        *message = "The queues of %s are shown";
    return status;
}

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    int status = right_setup_operation_iterator(process, op_class);

    return status >= err_unreadable && op_class == mqs_pending_sends
           ? mqs_end_of_list : status;
}
