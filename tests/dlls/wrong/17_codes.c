/* 17_codes.c - returns a reserved code */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_operation_iterator right_setup_operation_iterator
#include "dll_mpich.c"
#undef mqs_setup_operation_iterator

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    if (op_class >= queue_classes)
        return 42;
    return right_setup_operation_iterator(process, op_class);
}
