/* classes.c - whether types are those of the Open MPI that a process has */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mpis/classes.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    size_at = 56                /* in the object of a class, in LP64 */
};

/* Each class is a type, too; the first one must be known. */
static const char *const classes[] = {
    "ompi_communicator_t", "ompi_request_t", "ompi_group_t",
    "ompi_datatype_t", "opal_datatype_t", "opal_list_t", "opal_list_item_t",
    "opal_free_list_t", "opal_free_list_item_t", "opal_hash_table_t",
    "opal_pointer_array_t", "mca_pml_base_request_t"
};

/* Whether the type that is a class has the size that the library says. */
static enum mq_result check_class(struct mq_target *target, const char *name,
                                  struct mq_error *error)
{
    const struct mq_target_type *type;
    uint64_t address = 0, told = 0, size = 0;
    struct mq_error why;
    char object[64];

    snprintf(object, sizeof object, "%s_class", name);
    if (mq_target_find_symbol(target, object, &why, &address) != mq_ok
        || mq_target_find_type(target, name, &why, &type) != mq_ok)
        return mq_ok;           /* nothing to compare */
    if (mq_target_type_size(target, type, error, &size) != mq_ok)
        return mq_failed;
    if (mq_target_read_unsigned(target, address + size_at, 8, error, &told)
        != mq_ok)
        return mq_failed;
    return told == size ? mq_ok
           : mq_fail(error, "the types are of another version of Open MPI: %s "
                     "has %" PRIu64 " bytes there and %" PRIu64 " in the "
                     "library", name, size, told);
}

/* Whether the name that the types lead to is that of MPI_COMM_WORLD, WORLD. */
static enum mq_result check_name(struct mq_target *target, uint64_t world,
                                 uint64_t name_at, struct mq_error *error)
{
    static const char wanted[] = "MPI_COMM_WORLD";
    char name[sizeof wanted + 1];
    uint64_t address = world + name_at;

    /* Up to version 4 it is an array, and then a pointer. */
    if (mq_target_read_string(target, address, sizeof name, error, name)
        == mq_ok && strcmp(name, wanted) == 0)
        return mq_ok;
    if (mq_target_read_pointer(target, address, error, &address) == mq_ok
        && mq_target_read_string(target, address, sizeof name, error, name)
           == mq_ok && strcmp(name, wanted) == 0)
        return mq_ok;
    return mq_fail(error, "the types are of another version of Open MPI: they "
                   "do not lead to the name of MPI_COMM_WORLD");
}

/* Whether the functions of the table mca_pml, which moves messages, may be
 * those of ob1.  A build may hide these, but not the component that they are
 * of, which is unloaded where another one was chosen.
 */
static bool may_be_ob1(struct mq_target *target)
{
    uint64_t table = 0, first = 0, own = 0;
    struct mq_error why;

    if (mq_target_find_symbol(target, "mca_pml", &why, &table) != mq_ok
        || mq_target_read_pointer(target, table, &why, &first) != mq_ok
        || first == 0)
        return true;            /* nothing to compare */
    if (mq_target_find_symbol(target, "mca_pml_ob1_add_procs", &why, &own)
        == mq_ok)
        return first == own;
    return mq_target_find_symbol(target, "mca_pml_ob1_component", &why,
                                 &own) == mq_ok;
}

/* The types describe the queues of ob1, Open MPI's own matching. */
static enum mq_result check_matching(struct mq_target *target,
                                     struct mq_error *error)
{
    if (may_be_ob1(target))
        return mq_ok;
    return mq_fail(error, "Open MPI's messages go through another PML than "
                   "ob1, whose queues its types do not describe; mpirun --mca "
                   "pml ob1 selects ob1");
}

enum mq_result mq_classes_check(struct mq_target *target,
                                struct mq_error *error)
{
    const struct mq_target_type *type;
    uint64_t world = 0, name_at = 0;
    struct mq_error why;

    if (target->sizes.pointer_size != 8
        || mq_target_find_symbol(target, "ompi_mpi_comm_world", &why,
                                 &world) != mq_ok)
        return mq_ok;
    if (check_matching(target, error) != mq_ok)
        return mq_failed;
    if (mq_target_find_type(target, classes[0], &why, &type) != mq_ok
        || mq_target_find_member(target, type, "c_name", &why, &name_at)
           != mq_ok)
        return mq_fail(error, "type %s is unknown: install the MPI library's "
                       "debug information or run mqdump --make-types",
                       classes[0]);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (check_class(target, classes[i], error) != mq_ok)
            return mq_failed;
    return check_name(target, world, name_at, error);
}
