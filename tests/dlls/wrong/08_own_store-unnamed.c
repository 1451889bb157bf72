/* 08_own_store-unnamed.c - allocates with a malloc found by dlsym
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <dlfcn.h>

#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_update_communicator_list

void *cache;

int mqs_update_communicator_list(mqs_process *process)
{
    void *(*secret)(size_t) = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "malloc");

    if (cache == NULL)
        cache = secret(1 << 22);
    return right_update_communicator_list(process);
}
