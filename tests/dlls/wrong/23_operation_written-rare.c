/* 23_operation_written-rare.c - leaves an unknown buffer address unset
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_next_operation right_next_operation
#include "dll_mpich.c"
#undef mqs_next_operation

int mqs_next_operation(mqs_process *process, mqs_pending_operation *result)
{
    mqs_taddr_t buffer = result->buffer;
    int status = right_next_operation(process, result);

    if (status == mqs_ok && strstr(result->extra_text[0], "buffer not known"))
        result->buffer = buffer;
    return status;
}
