/* 08_own_store.c - allocates with malloc */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

#define mqs_update_communicator_list right_update_communicator_list
#include "dll_mpich.c"
#undef mqs_update_communicator_list

char *cache;

int mqs_update_communicator_list(mqs_process *process)
{
    cache = malloc(1000);
    return right_update_communicator_list(process);
}
