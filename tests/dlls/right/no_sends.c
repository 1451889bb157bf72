/* no_sends.c - correct DLL without information on sends */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_operation_iterator all_setup_operation_iterator
#include "dll_mpich.c"
#undef mqs_setup_operation_iterator

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    int status = all_setup_operation_iterator(process, op_class);

    return op_class == mqs_pending_sends ? mqs_no_information : status;
}
