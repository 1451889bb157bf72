/* module.h - symbols, unwind rules and DWARF of a program or library
 *
 * Method: the contents of a file are read when first asked for, and kept: its
 * symbols (hashed by name, sorted by address), its rules for unwinding, its
 * DWARF.  All addresses are those of the file; a process adds its own bias
 * (objects.h).  Files are the same if their device, inode, size and time are,
 * so that ranks that run the same program share all of it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MODULE_H
#define MQ_MODULE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"

/* The strings live as long as the module. */
struct mq_symbol {
    const char *name;
    uint64_t address, size;
    uint32_t next;              /* of the same hash, from 1 on; 0: none */
    unsigned char type, binding;
};

struct mq_module;

/* All modules of a worker. */
struct mq_modules;

enum mq_result mq_modules_create(struct mq_error *, struct mq_modules **);
void mq_modules_destroy(struct mq_modules *);

/* The module of FILE, a descriptor that stays the caller's, which is called
 * PATH by the process.
 */
enum mq_result mq_modules_get(struct mq_modules *, int file, const char *path,
                              struct mq_error *, struct mq_module **);

/* Notes how maps identify the file of a module, by its device, inode and path;
 * and the module of this kind that was noted so, or null.
 */
void mq_module_note(struct mq_module *, const char *words);
struct mq_module *mq_modules_noted(const struct mq_modules *,
                                   const char *words, int kind);

const char *mq_module_path(const struct mq_module *);

/* Of mpi/libraries.h's. */
int mq_module_kind_of(const struct mq_module *);

/* Whether the first of LENGTH bytes are those of the file. */
bool mq_module_begins_with(struct mq_module *, const void *bytes,
                           size_t length);

/* The address that the file's first byte has, in its own counting. */
uint64_t mq_module_begin(const struct mq_module *);

/* The symbol NAME that is defined there, the first of those that are global or,
 * if IS_LOCAL, that are not; or null.
 */
const struct mq_symbol *mq_module_symbol(struct mq_module *, const char *name,
                                         bool is_local);

/* The symbol of the function or data that ADDRESS is in, or null. */
const struct mq_symbol *mq_module_symbol_at(struct mq_module *,
                                            uint64_t address);

/* The rules for unwinding, from .eh_frame and .debug_frame; each null where
 * there are none.  To an address of the module theirs is that minus BIAS.
 */
struct mq_module_rules {
    Dwarf_CFI *cfi[2];
    uint64_t bias[2];
};

const struct mq_module_rules *mq_module_rules(struct mq_module *);

/* For what a file holds beyond that. */
Dwfl_Module *mq_module_dwfl(struct mq_module *);

/* The unit of its DWARF that ADDRESS is in, which lives as long as the module,
 * and what the module's addresses are more than the unit's; or null.
 */
Dwarf_Die *mq_module_unit_at(struct mq_module *, uint64_t address,
                             uint64_t *bias);

/* Its DWARF, or null. */
Dwarf *mq_module_dwarf(struct mq_module *, uint64_t *bias);

#endif
