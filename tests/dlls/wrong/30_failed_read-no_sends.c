/* 30_failed_read-no_sends.c - conceals failed reads behind missing sends
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_operation_iterator right_setup_operation_iterator
#include "dll_mpich.c"
#undef mqs_setup_operation_iterator

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    int status = right_setup_operation_iterator(process, op_class);

    if (op_class == mqs_pending_sends)
        return mqs_no_information;
    return status >= err_unreadable ? mqs_end_of_list : status;
}
