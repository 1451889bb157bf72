/* other_ways.c - correct DLL with unusual but permitted answers
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define mqs_process_has_queues silent_process_has_queues
#define mqs_setup_operation_iterator plain_setup_operation_iterator
#define mqs_get_communicator named_get_communicator
#include "dll_mpich.c"
#undef mqs_process_has_queues
#undef mqs_setup_operation_iterator
#undef mqs_get_communicator

int Mqs_vendor_level = 3;

int mqs_process_has_queues(mqs_process *process, char **message)
{
    int status = silent_process_has_queues(process, message);

    if (status == mqs_ok)
        *message = "The queues of %s are shown";
    return status;
}

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    int status = plain_setup_operation_iterator(process, op_class);

    return status == mqs_end_of_list ? mqs_ok : status;
}

int mqs_get_communicator(mqs_process *process, mqs_communicator *result)
{
    int status = named_get_communicator(process, result);

    if (status == mqs_ok)
        result->name[0] = '\0';
    return status;
}
