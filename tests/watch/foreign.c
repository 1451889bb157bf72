/* foreign.c - a program of the MPI that foreign_mpi.c stands in for: whether
 * that gets what is passed on
 *
 *     foreign             by itself
 *     foreign PLUGIN      this file as a library, which brings its MPI along
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int run(int argc, char **argv);

#ifdef PLUGIN
int MPI_Init(int *, char ***);
int MPI_Send(const void *, int, uintptr_t, int, int, uintptr_t);
int MPI_Comm_dup(uintptr_t, uintptr_t *);
int MPI_Finalize(void);

int run(int argc, char **argv)
{
    uintptr_t comm = (uintptr_t)-0x11223344 << 8 >> 1,
              type = (uintptr_t)-0x55667788 << 8 >> 1, made[2] = { 0, 7 };
    int wrong;

    wrong = MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++)
        wrong += MPI_Send(made, 1, type, 2, 3, comm);
    wrong += MPI_Comm_dup(comm, made) != 0 || made[0] != comm + 1
             || made[1] != 7;
    wrong += MPI_Finalize();
    puts(wrong == 0 ? "all came through" : "something was lost");
    return wrong;
}
#endif

#ifndef PLUGIN_ALONE
int main(int argc, char **argv)
{
    int (*its_run)(int, char **) = NULL;
#ifdef PLUGIN
    its_run = run;
#else
    void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);

    if (plugin != NULL)
        *(void **)&its_run = dlsym(plugin, "run");
#endif
    if (its_run == NULL) {
        puts("no plug-in");
        return 2;
    }
    return its_run(argc, argv);
}
#endif
