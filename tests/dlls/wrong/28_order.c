/* 28_order.c - treats unknown queues as the receives */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_operation_iterator right_setup_operation_iterator
#include "dll_mpich.c"
#undef mqs_setup_operation_iterator

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    if (op_class != mqs_pending_sends && op_class != mqs_unexpected_messages)
        op_class = mqs_pending_receives;
    return right_setup_operation_iterator(process, op_class);
}
