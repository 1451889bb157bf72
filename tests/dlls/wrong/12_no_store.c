/* 12_no_store.c - reports an empty queue when out of memory */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_operation_iterator right_setup_operation_iterator
#include "dll_mpich.c"
#undef mqs_setup_operation_iterator

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    int status = right_setup_operation_iterator(process, op_class);

    return status == err_no_store ? mqs_end_of_list : status;
}
