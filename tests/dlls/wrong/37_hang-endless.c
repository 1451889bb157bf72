/* 37_hang-endless.c - restarts at the end of a queue */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_next_operation right_next_operation
#include "dll_mpich.c"
#undef mqs_next_operation

int mqs_next_operation(mqs_process *process, mqs_pending_operation *result)
{
    struct view *info = enter(process);
    int status = right_next_operation(process, result);

    if (status == mqs_end_of_list && info->op_class >= 0) {
        mqs_setup_operation_iterator(process, info->op_class);
        status = right_next_operation(process, result);
    }
    return status;
}
