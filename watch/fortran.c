/* fortran.c - call sites of Fortran programs
 *
 * The bindings for Fortran are a library that calls MPI's functions in C.  What
 * they return to is in that library; so the place that the binding returns to
 * is noted first, in a cell of the thread, for as long as the binding runs.
 *
 * The names are those that gfortran, and by default others on Linux, give what
 * is in mpif.h and the module mpi, and those of the module mpi_f08 in Open MPI
 * and in MPICH.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "watch/notes.h"

#include <string.h>

__thread const void *mqw_caller __attribute__((tls_model("initial-exec")));
struct mqw_range mqw_bindings[mqw_binding_libraries];

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_bindings(void)
{
    static const char *const names[] = { "mpi_init_", "mpi_init_f08_", NULL };

    mqw_find_libraries(names, mqw_bindings, mqw_binding_libraries);
}

/* All that a binding may be given: addresses, the last one of the error code,
 * and the lengths of two strings.  A function with fewer arguments does not
 * look at the rest.
 */
#define PARAMETERS                                                             \
    void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h,    \
    void *i, void *j, void *k, void *l, void *m, void *n
#define ARGUMENTS a, b, c, d, e, f, g, h, i, j, k, l, m, n

typedef void binding(PARAMETERS);

RARE static binding *find(const char *name, binding **kept)
{
    void *found = mqw_next(name);
    binding *next;

    pthread_once(&once, find_bindings);
    memcpy(&next, &found, sizeof next);
    __atomic_store_n(kept, next, __ATOMIC_RELEASE);
    return next;
}

/* A binding can call another one: the program called the first. */
#define BINDING(name)                                                          \
    __attribute__((visibility("default"))) binding name;                       \
                                                                               \
    void name(PARAMETERS)                                                      \
    {                                                                          \
        static binding *kept;                                                  \
        binding *next = __atomic_load_n(&kept, __ATOMIC_ACQUIRE);              \
        const void *caller = mqw_caller;                                       \
        const void *site = __builtin_return_address(0);                        \
                                                                               \
        if (next == NULL)                                                      \
            next = find(#name, &kept);                                         \
        if (caller == NULL || !mqw_is_in_binding(site))                        \
            mqw_caller = site;                                                 \
        next(ARGUMENTS);                                                       \
        mqw_caller = caller;                                                   \
    }

#define FORTRAN(name)                                                          \
    BINDING(mpi_##name##_)                                                     \
    BINDING(mpi_##name##_f08_)                                                 \
    BINDING(mpi_##name##_f08ts_)
#include "watch/fortran.def"
