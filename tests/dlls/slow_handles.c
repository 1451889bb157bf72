/* slow_handles.c - handle DLL that needs 0.3 s per list, and logs each
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "tests/dlls/slow.h"

#define mpidbg_comm_list Mqs_right_comm_list
#include "mpich/dll_handles.c"
#undef mpidbg_comm_list

extern int mpidbg_comm_list(mqs_image *, mqs_image_info *, mqs_process *,
                            mqs_process_info *,
                            struct mpidbg_handle_list_t **);

int mpidbg_comm_list(mqs_image *image, mqs_image_info *image_info,
                     mqs_process *process, mqs_process_info *process_info,
                     struct mpidbg_handle_list_t **list)
{
    be_slow();
    return Mqs_right_comm_list(image, image_info, process, process_info, list);
}
