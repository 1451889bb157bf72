/* 16_stale_table-image.c - uses an old image table in a refresh */
/* SPDX-License-Identifier: BSD-2-Clause */
#define mqs_setup_process right_setup_process
#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_setup_process
#undef mqs_update_communicator_list

/* Of the process that was set up last. */
static mqs_process *latest;
static const mqs_image_callbacks *table;

int mqs_setup_process(mqs_process *process,
                      const mqs_process_callbacks *callbacks)
{
    mqs_image *image = callbacks->mqs_get_image_fp(process);

    latest = process;
    table = image_of(image)->callbacks;
    return right_setup_process(process, callbacks);
}

int mqs_update_communicator_list(mqs_process *process)
{
    mqs_target_type_sizes sizes;

    if (process == latest)
        table->mqs_get_type_sizes_fp(process, &sizes);
    return right_update_communicator_list(process);
}
