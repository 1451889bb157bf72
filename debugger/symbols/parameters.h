/* parameters.h - names of the parameters of MPI functions
 *
 * From the table of MPI's functions, mpi/functions.def, which says what marks
 * are before and behind parameters.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PARAMETERS_H
#define MQ_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { mq_most_parameters = 24 };

struct mq_mpi_function {
    const char *name;           /* "MPI_Recv" */
    char *parameters[mq_most_parameters];
    char *plain[mq_most_parameters];    /* without marks */
    size_t count;
};

struct mq_mpi_functions {
    struct mq_mpi_function *all;
    size_t count, room;
};

enum mq_result mq_mpi_functions_read(struct mq_mpi_functions *,
                                     struct mq_error *);
void mq_mpi_functions_deinit(struct mq_mpi_functions *);

/* The function NAME, in any case of letters if IS_FOLDED; or null. */
const struct mq_mpi_function *mq_mpi_function(const struct mq_mpi_functions *,
                                              const char *name,
                                              bool is_folded);

/* The index of the parameter that names the length of parameter I, an array; I
 * if there is none.
 */
size_t mq_array_length(const struct mq_mpi_function *, size_t i);

/* The C name of the MPI function that the function NAME is, as long as both
 * live, or null; *IS_C if NAME is of the C binding.
 */
const char *mq_mpi_call(const struct mq_mpi_functions *, const char *name,
                        bool *is_c);

#endif
