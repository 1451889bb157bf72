/* elf.h - dynamic section, symbols and notes of ELF files
 *
 * Nothing of the file is run for it.  The file is not trusted: whatever is not
 * within it is ignored.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ELF_H
#define MQ_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct mq_elf_symbol {
    const char *name;           /* lives for the call only */
    bool is_defined;            /* else it is needed from elsewhere */
    bool is_visible;            /* to the library's loader */
};

/* Calls VISIT with CLOSURE for each symbol of FILE's dynamic symbol table that
 * has a name and is not local.  mq_absent if FILE is no ELF file of this
 * program's word size or has no section that holds such a table; mq_failed if
 * it cannot be read.
 */
enum mq_result mq_elf_dynamic_symbols(
    const char *file, void (*visit)(const struct mq_elf_symbol *, void *),
    void *closure, struct mq_error *);

/* Calls VISIT in the same way with the name of each library that FILE needs,
 * as the dynamic linker looks for it; the name lives for the call only.
 */
enum mq_result mq_elf_needed(const char *file,
                             void (*visit)(const char *name, void *closure),
                             void *closure, struct mq_error *);

/* The same with each list of folders in which FILE has its libraries looked
 * for, as written there: parted by colons, and with $ORIGIN for FILE's own.
 */
enum mq_result mq_elf_run_paths(const char *file,
                                void (*visit)(const char *folders,
                                              void *closure),
                                void *closure, struct mq_error *);

enum { mq_build_id_room = 129, mq_alternate_room = 4096 };

/* The file that has a part of FILE's debug information, as dwz has it: its
 * name, which is relative to FILE's folder unless it begins with a slash, and
 * its build id; mq_absent if there is none.
 */
enum mq_result mq_elf_alternate(const char *file, struct mq_error *,
                                char name[mq_alternate_room],
                                char id[mq_build_id_room]);

/* The build id of FILE in hexadecimal digits; mq_absent if it has none that is
 * any good.
 */
enum mq_result mq_elf_build_id(const char *file, struct mq_error *,
                               char id[mq_build_id_room]);

#endif
