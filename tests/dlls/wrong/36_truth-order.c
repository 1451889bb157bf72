/* 36_truth-order.c - swaps the first two receives
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_operation_iterator right_setup_operation_iterator
#include "dll_mpich.c"
#undef mqs_setup_operation_iterator

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    int status = right_setup_operation_iterator(process, op_class);
    struct operation *first = enter(process)->operation, *second;

    if (status == mqs_ok && op_class == mqs_pending_receives && first != NULL
        && first->link.next != NULL) {
        struct operation_list *list =
            &enter(process)->current->queues[op_class];

        second = first->link.next;
        first->link.next = second->link.next;
        second->link.next = first;
        list->first = enter(process)->operation = second;
    }
    return status;
}
