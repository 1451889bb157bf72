/* type_table.h - struct types and their members, from DWARF
 *
 * Method: the names of the types that a module defines outside of functions are
 * read once and sorted; a type is understood when it is first asked for, and
 * kept for all processes that have the module.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TYPE_TABLE_H
#define MQ_TYPE_TABLE_H

#include "symbols/module.h"
#include "target/target.h"

/* The types of a worker's modules. */
struct mq_type_table;

enum mq_result mq_type_table_create(struct mq_error *, struct mq_type_table **);
void mq_type_table_destroy(struct mq_type_table *);

/* The type NAME among those of COUNT modules, in their order: a typedef's or
 * basic type's name, or that of a struct, a union or an enum.
 */
enum mq_result mq_type_table_find(struct mq_type_table *,
                             struct mq_module *const *modules, size_t count,
                             const char *name, struct mq_error *,
                             const struct mq_target_type **type);

#endif
