/* 23_operation_written.c - does not write the buffer's address */
/* SPDX-License-Identifier: BSD-2-Clause */
/* also breaks: 36 */
#define mqs_next_operation right_next_operation
#include "dll_mpich.c"
#undef mqs_next_operation

int mqs_next_operation(mqs_process *process, mqs_pending_operation *result)
{
    mqs_taddr_t buffer = result->buffer;
    int status = right_next_operation(process, result);

    result->buffer = buffer;
    return status;
}
