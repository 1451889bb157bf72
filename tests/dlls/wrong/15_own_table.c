/* 15_own_table.c - calls the callbacks of the latest process for all */
/* SPDX-License-Identifier: BSD-2-Clause */
/* also breaks: 16 34 */
#define mqs_setup_process right_setup_process
#define mqs_destroy_process_info right_destroy_process_info
#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_setup_process
#undef mqs_destroy_process_info
#undef mqs_update_communicator_list

static const mqs_process_callbacks *latest;

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    latest = callbacks;
    return right_setup_process(process, callbacks);
}

int mqs_destroy_process_info(mqs_process_info *info)
{
    latest = NULL;
    return right_destroy_process_info(info);
}

int mqs_update_communicator_list(mqs_process *process)
{
    if (latest != NULL)
        enter(process)->process.callbacks = latest;
    return right_update_communicator_list(process);
}
