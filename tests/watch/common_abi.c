/* common_abi.c - stands before MPICH as another MPI of its common ABI: the name
 * of this library and its VERSION are those
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

int PMPI_Init(int *argc, char ***argv)
{
    void *found = dlsym(RTLD_NEXT, "PMPI_Init");
    int (*init)(int *, char ***);

    memcpy(&init, &found, sizeof init);
    return init(argc, argv);
}

int PMPI_Get_library_version(char *version, int *length)
{
    strcpy(version, VERSION);
    *length = (int)strlen(version);
    return 0;
}
