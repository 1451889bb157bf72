/* 14_arguments-image.c - reads memory of an image */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_update_communicator_list

int mqs_update_communicator_list(mqs_process *process)
{
    const mqs_process_callbacks *callbacks = enter(process)->process.callbacks;
    char byte;

    callbacks->mqs_fetch_data_fp(
        (mqs_process *)callbacks->mqs_get_image_fp(process), 4096, 1, &byte);
    return right_update_communicator_list(process);
}
