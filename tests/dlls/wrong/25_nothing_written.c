/* 25_nothing_written.c - clears the operation at the end of a queue
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_next_operation right_next_operation
#include "dll_mpich.c"
#undef mqs_next_operation

int mqs_next_operation(mqs_process *process, mqs_pending_operation *result)
{
    memset(result, 0, sizeof *result);
    return right_next_operation(process, result);
}
