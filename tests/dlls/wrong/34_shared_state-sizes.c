/* 34_shared_state-sizes.c - uses another process's type sizes
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define mqs_setup_process right_setup_process
#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_setup_process
#undef mqs_update_communicator_list

static mqs_target_type_sizes sizes;
static int reads;

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    int status = right_setup_process(process, callbacks);

    if (status == mqs_ok)
        sizes = enter(process)->process.sizes;
    return status;
}

int mqs_update_communicator_list(mqs_process *process)
{
    if (++reads % 3 == 0)
        enter(process)->process.sizes = sizes;
    return right_update_communicator_list(process);
}
