/* slow.c - DLL that needs 0.3 s per refresh, and logs each
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "tests/dlls/slow.h"

#define mqs_update_communicator_list Mqs_right_update
#include "dll_mpich.c"
#undef mqs_update_communicator_list

extern int mqs_update_communicator_list(mqs_process *process);

int mqs_update_communicator_list(mqs_process *process)
{
    be_slow();
    return Mqs_right_update(process);
}
