/* parameters.c - names of the parameters of MPI functions */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbols/parameters.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "mpi/call.h"

/* ---- The table --------------------------------------------------------- */

static enum mq_result add_function(struct mq_mpi_functions *functions,
                                   const struct mq_function *row,
                                   struct mq_error *error)
{
    char *parameters = strdup(row->parameters), *rest, *word;
    struct mq_mpi_function *function;

    if (parameters == NULL
        || mq_array_reserve(&functions->all, sizeof *function,
                            functions->count + 1, &functions->room,
                            "for MPI's functions", error) != mq_ok) {
        free(parameters);
        return mq_fail_memory(error, "for MPI's functions");
    }
    function = &functions->all[functions->count++];
    memset(function, 0, sizeof *function);
    function->name = row->name;
    for (word = strtok_r(parameters, " ", &rest);
         word != NULL && function->count < mq_most_parameters;
         word = strtok_r(NULL, " ", &rest)) {
        const char *plain = word + strspn(word, "*&");

        function->parameters[function->count] = strdup(word);
        function->plain[function->count++] = strndup(plain,
                                                     strcspn(plain, "["));
    }
    free(parameters);
    return mq_ok;
}

enum mq_result mq_mpi_functions_read(struct mq_mpi_functions *functions,
                                     struct mq_error *error)
{
    const struct mq_function *row;

    memset(functions, 0, sizeof *functions);
    for (size_t i = 0; (row = mq_function_at(i)) != NULL; i++)
        if (add_function(functions, row, error) != mq_ok) {
            mq_mpi_functions_deinit(functions);
            return mq_failed;
        }
    return mq_ok;
}

void mq_mpi_functions_deinit(struct mq_mpi_functions *functions)
{
    while (functions->count > 0) {
        struct mq_mpi_function *function =
            &functions->all[--functions->count];

        while (function->count > 0) {
            free(function->parameters[--function->count]);
            free(function->plain[function->count]);
        }
    }
    free(functions->all);
    memset(functions, 0, sizeof *functions);
}

const struct mq_mpi_function *mq_mpi_function(
    const struct mq_mpi_functions *functions, const char *name, bool is_folded)
{
    for (size_t i = 0; i < functions->count; i++) {
        const struct mq_mpi_function *function = &functions->all[i];

        if ((is_folded ? strcasecmp(function->name, name)
                       : strcmp(function->name, name)) == 0)
            return function;
    }
    return NULL;
}

size_t mq_array_length(const struct mq_mpi_function *function, size_t i)
{
    const char *bracket = strchr(function->parameters[i], '[');

    for (size_t j = 0; bracket != NULL && j < i; j++) {
        size_t length = strlen(function->plain[j]);

        if (strncmp(bracket + 1, function->plain[j], length) == 0
            && bracket[1 + length] == ']')
            return j;
    }
    return i;
}

/* ---- Names ------------------------------------------------------------- */

static bool is_word(const char *text)
{
    while (isalnum((unsigned char)*text) || *text == '_')
        text++;
    return *text == '\0';
}

/* P?MPIX?_[A-Z]..., which is not all in capitals: those are Fortran's. */
static const char *c_call(const char *name)
{
    const char *call = name + (*name == 'P'), *rest;

    if (strncmp(call, "MPI", 3) != 0)
        return NULL;
    rest = call + 3 + (call[3] == 'X');
    if (*rest != '_' || !isupper((unsigned char)rest[1]) || !is_word(rest))
        return NULL;
    while (*name != '\0' && !islower((unsigned char)*name))
        name++;
    return *name != '\0' ? call : NULL;
}

/* Takes ENDING off TEXT, unless nothing is left then. */
static void take_off(char *text, const char *ending)
{
    size_t length = strlen(text), less = strlen(ending);

    if (length > less && strcmp(text + length - less, ending) == 0)
        text[length - less] = '\0';
}

/* The function of a Fortran binding: mpi_recv_, MPI_RECV, ompi_recv_f,
 * pmpir_recv_f08ts_.
 */
static const char *fortran_call(const struct mq_mpi_functions *functions,
                                const char *name)
{
    const struct mq_mpi_function *function;
    char call[80] = "MPI_";

    if (strncmp(name, "ompi_", 5) == 0)
        name += 5;
    else {
        name += *name == 'p' || *name == 'P';
        if (strncmp(name, "mpi_", 4) != 0 && strncmp(name, "MPI_", 4) != 0)
            return NULL;
        name += 4;
    }
    if (strlen(name) >= sizeof call - 4 || !is_word(name))
        return NULL;
    memcpy(call + 4, name, strlen(name) + 1);
    for (size_t i = strlen(call); i > 5 && call[i - 1] == '_';)
        call[--i] = '\0';
    take_off(call, "_f08ts");
    take_off(call, "_f08");
    take_off(call, "_f");
    function = mq_mpi_function(functions, call, true);
    return function != NULL ? function->name : NULL;
}

/* A function of libmqwatch's may have parts, which have its name in front. */
static const char *whole_call(const struct mq_mpi_functions *functions,
                              const char *name)
{
    static const char *const parts[] = {
        "_exported", "_first", "_noted", "_repeated", "_unwatched"
    };
    const struct mq_mpi_function *function;
    char call[80];

    if (name == NULL || strlen(name) >= sizeof call)
        return name;
    memcpy(call, name, strlen(name) + 1);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        take_off(call, parts[i]);
    function = strcmp(call, name) != 0
               ? mq_mpi_function(functions, call, false) : NULL;
    return function != NULL ? function->name : name;
}

/* A function that the compiler has copied for some of its callers, whose
 * arguments are not where others' are: MPI_Recv.constprop.0.
 */
static const char *copied_call(const struct mq_mpi_functions *functions,
                               const char *name)
{
    const struct mq_mpi_function *function;
    size_t length = strcspn(name, ".");
    char call[80];

    if (name[length] == '\0' || length >= sizeof call)
        return NULL;
    memcpy(call, name, length);
    call[length] = '\0';
    name = c_call(call);
    function = name != NULL ? mq_mpi_function(functions, name, false) : NULL;
    return function != NULL ? function->name : NULL;
}

const char *mq_mpi_call(const struct mq_mpi_functions *functions,
                        const char *name, bool *is_c)
{
    /* Internal functions of libraries that replace an MPI function, which calls
     * them last and so has no frame.
     */
    static const char *const stand_ins[][2] = {
        { "ompi_mpi_init", "MPI_Init" },
        { "ompi_mpi_finalize", "MPI_Finalize" },
        { "ompi_mpi_abort", "MPI_Abort" }
    };
    const char *call = whole_call(functions, c_call(name));
    size_t i;

    *is_c = call != NULL;
    if (call == NULL)
        call = copied_call(functions, name);
    for (i = 0; call == NULL && i < sizeof stand_ins / sizeof stand_ins[0];
         i++) {
        if (strcmp(name, stand_ins[i][0]) == 0)
            call = stand_ins[i][1];
    }
    /* mpi4py's, which call MPI's last. */
    if (call == NULL && strncmp(name, "PyMPI_", 6) == 0)
        call = whole_call(functions, c_call(name + 2));
    return call != NULL ? call : fortran_call(functions, name);
}
