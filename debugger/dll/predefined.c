/* predefined.c - predefined handles of current MPI libraries */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "dll/predefined.h"

#include <string.h>

#include "mpi/call.h"

const struct mq_predefined mq_predefined_handles[] = {
    { "MPI_COMM_WORLD", "ompi_mpi_comm_world", 0x44000000 },
    { "MPI_COMM_SELF", "ompi_mpi_comm_self", 0x44000001 },

    { "MPI_INT", "ompi_mpi_int", 0x4c000405 },
    { "MPI_DOUBLE", "ompi_mpi_double", 0x4c00080b },
    { "MPI_BYTE", "ompi_mpi_byte", 0x4c00010d },
    { "MPI_CHAR", "ompi_mpi_char", 0x4c000101 },
    { "MPI_FLOAT", "ompi_mpi_float", 0x4c00040a },
    { "MPI_LONG", "ompi_mpi_long", 0x4c000807 },
    { "MPI_INTEGER", "ompi_mpi_integer", 0x4c00041b },
    { "MPI_DOUBLE_PRECISION", "ompi_mpi_dblprec", 0x4c00081f },
    { "MPI_REAL", "ompi_mpi_real", 0x4c00041c },
    { "MPI_LOGICAL", "ompi_mpi_logical", 0x4c00041d },
    { "MPI_CHARACTER", "ompi_mpi_character", 0x4c00011a },
    { "MPI_COMPLEX", "ompi_mpi_cplex", 0x4c00081e },
    { "MPI_DOUBLE_COMPLEX", "ompi_mpi_dblcplex", 0x4c001022 },
    { "MPI_UNSIGNED", "ompi_mpi_unsigned", 0x4c000406 },
    { "MPI_UNSIGNED_LONG", "ompi_mpi_unsigned_long", 0x4c000808 },
    { "MPI_LONG_LONG", "ompi_mpi_long_long_int", 0x4c000809 },
    { "MPI_UNSIGNED_LONG_LONG", "ompi_mpi_unsigned_long_long", 0x4c000819 },
    { "MPI_SHORT", "ompi_mpi_short", 0x4c000203 },
    { "MPI_UNSIGNED_SHORT", "ompi_mpi_unsigned_short", 0x4c000204 },
    { "MPI_SIGNED_CHAR", "ompi_mpi_signed_char", 0x4c000118 },
    { "MPI_UNSIGNED_CHAR", "ompi_mpi_unsigned_char", 0x4c000102 },
    { "MPI_WCHAR", "ompi_mpi_wchar", 0x4c00040e },
    { "MPI_LONG_DOUBLE", "ompi_mpi_long_double", 0x4c00100c },
    { "MPI_PACKED", "ompi_mpi_packed", 0x4c00010f },
    { "MPI_INT8_T", "ompi_mpi_int8_t", 0x4c000137 },
    { "MPI_INT16_T", "ompi_mpi_int16_t", 0x4c000238 },
    { "MPI_INT32_T", "ompi_mpi_int32_t", 0x4c000439 },
    { "MPI_INT64_T", "ompi_mpi_int64_t", 0x4c00083a },
    { "MPI_UINT8_T", "ompi_mpi_uint8_t", 0x4c00013b },
    { "MPI_UINT16_T", "ompi_mpi_uint16_t", 0x4c00023c },
    { "MPI_UINT32_T", "ompi_mpi_uint32_t", 0x4c00043d },
    { "MPI_UINT64_T", "ompi_mpi_uint64_t", 0x4c00083e },
    { "MPI_C_BOOL", "ompi_mpi_c_bool", 0x4c00013f },
    { "MPI_C_COMPLEX", "ompi_mpi_c_float_complex", 0x4c000840 },
    { "MPI_C_DOUBLE_COMPLEX", "ompi_mpi_c_double_complex", 0x4c001041 },
    { "MPI_AINT", "ompi_mpi_aint", 0x4c000843 },
    { "MPI_OFFSET", "ompi_mpi_offset", 0x4c000844 },
    { "MPI_COUNT", "ompi_mpi_count", 0x4c000845 },
    { "MPI_2INT", "ompi_mpi_2int", 0x4c000816 }
};

const size_t mq_predefined_count =
    sizeof mq_predefined_handles / sizeof mq_predefined_handles[0];

static uint64_t size_of(uint64_t number)
{
    return number >> 8 & 0xff;
}

/* The handle of a row: mq_absent if the library does not have it. */
static enum mq_result handle_of(const struct mq_predefined *row,
                                struct mq_target *target, bool are_numbers,
                                struct mq_error *error, uint64_t *handle)
{
    if (!are_numbers)
        return mq_target_find_symbol(target, row->symbol, error, handle);
    *handle = row->number;
    return mq_ok;
}

enum mq_result mq_predefined_world(struct mq_target *target,
                                   struct mq_error *error, bool *are_numbers,
                                   uint64_t *world)
{
    enum mq_result result = handle_of(&mq_predefined_handles[0], target, false,
                                      error, world);

    if (result == mq_failed)
        return mq_failed;
    *are_numbers = result == mq_absent;
    return handle_of(&mq_predefined_handles[0], target, *are_numbers, error,
                     world);
}

enum mq_result mq_predefined_datatype(struct mq_target *target,
                                      bool are_numbers, uint64_t handle,
                                      struct mq_error *error,
                                      const char **name, uint64_t *size)
{
    /* Where an int has four bytes and a long eight, MPICH's sizes are those of
     * all libraries. */
    bool knows_sizes = target->sizes.pointer_size == 8;
    uint64_t own = 0;

    /* Numbers of basic datatypes hold their sizes. */
    if (are_numbers ? handle >> 16 != 0x4c00 : !knows_sizes)
        return mq_absent;
    for (size_t i = mq_predefined_communicators; i < mq_predefined_count;
         i++) {
        const struct mq_predefined *row = &mq_predefined_handles[i];
        enum mq_result result = handle_of(row, target, are_numbers, error,
                                          &own);

        if (result == mq_failed)
            return mq_failed;
        if (result == mq_ok && own == handle) {
            *name = row->name;
            *size = size_of(row->number);
            return mq_ok;
        }
    }
    if (!are_numbers)
        return mq_absent;
    *name = NULL;
    *size = size_of(handle);
    return mq_ok;
}

/* ---- Constants ----------------------------------------------------------- */

enum { mpich, open_mpi, standard, abis };

static const struct {
    const char *argument, *name;
    int values[abis];
} constants[] = {
    { "source", "MPI_ANY_SOURCE", { -2, -1, -1 } },
    { "source", "MPI_PROC_NULL", { -1, -2, -3 } },
    { "dest", "MPI_PROC_NULL", { -1, -2, -3 } },
    { "root", "MPI_PROC_NULL", { -1, -2, -3 } },
    { "root", "MPI_ROOT", { -3, -4, -4 } },
    { "tag", "MPI_ANY_TAG", { -1, -1, -2 } },
    { "recvtag", "MPI_ANY_TAG", { -1, -1, -2 } }
};

/* Whether a thread is in a library of the standard's ABI, which may be built on
 * that of any MPI.
 */
static bool has_standard_abi(const struct mq_process *process)
{
    for (size_t t = 0; t < process->thread_count; t++)
        for (size_t i = 0; i < process->threads[t].frame_count; i++) {
            const char *object = process->threads[t].frames[i].object;

            if (object != NULL && strstr(object, "libmpi_abi") != NULL)
                return true;
        }
    return false;
}

static int abi_of(const struct mq_process *process, bool are_numbers)
{
    return has_standard_abi(process) ? standard
           : are_numbers ? mpich : open_mpi;
}

static const char *name_constant(const char *argument, int64_t value, int abi)
{
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        if (value == constants[i].values[abi]
            && strcmp(argument, constants[i].argument) == 0)
            return constants[i].name;
    return NULL;
}

int mq_predefined_proc_null(const struct mq_process *process, bool are_numbers)
{
    return constants[1].values[abi_of(process, are_numbers)];
}

/* ---- Arguments ----------------------------------------------------------- */

static enum mq_result name_communicator(struct mq_target *target,
                                        bool are_numbers, uint64_t handle,
                                        struct mq_error *error,
                                        const char **name)
{
    for (size_t i = 0; i < mq_predefined_communicators; i++) {
        const struct mq_predefined *row = &mq_predefined_handles[i];
        uint64_t own = 0;
        enum mq_result result = handle_of(row, target, are_numbers, error,
                                          &own);

        if (result == mq_failed)
            return mq_failed;
        if (result == mq_ok && own == handle)
            *name = row->name;
    }
    return mq_ok;
}

static enum mq_result annotate_argument(struct mq_target *target,
                                        const struct mq_process *process,
                                        struct mq_argument *argument,
                                        struct mq_error *error)
{
    uint64_t handle = (uint64_t)argument->value, unused = 0;
    bool are_numbers = false;
    bool is_type = mq_parameter_type(argument->name) == mq_type_datatype;
    bool is_handle = is_type || strcmp(argument->name, "comm") == 0;
    enum mq_result result;

    if (argument->doubtful || argument->meaning != NULL
        || (!is_handle && argument->value >= 0))
        return mq_ok;
    result = mq_predefined_world(target, error, &are_numbers, &unused);
    if (result == mq_ok && !is_handle)
        argument->meaning = name_constant(argument->name, argument->value,
                                          abi_of(process, are_numbers));
    else if (result == mq_ok)
        result = is_type
                 ? mq_predefined_datatype(target, are_numbers, handle, error,
                                          &argument->meaning, &unused)
                 : name_communicator(target, are_numbers, handle, error,
                                     &argument->meaning);
    return result == mq_failed ? mq_failed : mq_ok;
}

enum mq_result mq_predefined_annotate(struct mq_target *target,
                                      const struct mq_process *process,
                                      struct mq_error *error)
{
    enum mq_result result = mq_ok;

    for (size_t i = 0; i < process->thread_count; i++) {
        const struct mq_thread *thread = &process->threads[i];

        for (size_t j = 0; result == mq_ok && j < thread->argument_count; j++)
            result = annotate_argument(target, process, &thread->arguments[j],
                                       error);
    }
    return result;
}
