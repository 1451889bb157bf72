/* images.h - the program and libraries that a process has mapped
 *
 * Method: what is mapped from a file is one range of addresses, by
 * /proc/PID/maps; which of the files are the program and its libraries, in the
 * order in which names are looked up, the dynamic linker's list in the process
 * says.  A file is opened through /proc, so that it is the one that the process
 * has wherever that is, and its first bytes are compared with those in memory.
 * A core file has both lists, too.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_IMAGES_H
#define MQ_IMAGES_H

#include "symbols/core.h"
#include "symbols/module.h"
#include "target/target.h"

/* Data source: process PID of this host or, if CORE is not null, what that has
 * of a process.
 */
struct mq_origin {
    int pid;
    struct mq_core *core;
};

struct mq_object {
    uint64_t begin, end;        /* of all its mappings */
    uint64_t first_end;         /* of the first of them */
    uint64_t base;              /* where its first byte is */
    uint64_t bias;              /* from the module's addresses to the
                                   process's, once there is a module */
    char *line;                 /* of /proc/PID/maps, the first of it; empty
                                   for a core file */
    char *path;                 /* as the kernel calls it */
    char *name;                 /* as the process does */
    struct mq_module *module;   /* null: not opened yet, or it cannot be */
    bool is_opened;             /* that was tried */
    bool has_kind;
    int kind;                   /* what its name says, once that was asked */
    bool is_program, is_kernels;
    bool is_listed;             /* it is among those of the order */
};

/* Memory that is of a file, and that nobody writes to. */
struct mq_fixed {
    uint64_t begin, end;
};

/* An entry of the dynamic linker's list, and what it begins with. */
struct mq_link {
    uint64_t place;
    unsigned char bytes[32];
};

/* All zero: none. */
struct mq_objects {
    struct mq_origin origin;
    struct mq_object *files;       /* by address */
    size_t count, room;
    struct mq_fixed *fixed;     /* by address; of a core file none is known */
    size_t fixed_count, fixed_room;
    size_t *order;              /* the places of files whose names count */
    size_t order_count;
    uint64_t list;              /* where the dynamic linker's is */
    struct mq_link *links;      /* all that it has; none: it was not followed */
    size_t link_count, link_room;
};

/* Reads what a process, whose memory is MEMORY, has loaded; what was read
 * before stays while the dynamic linker's list is the same still.  Until then
 * files that are in no such list are not looked for again.
 */
enum mq_result mq_objects_read(struct mq_objects *, const struct mq_origin *,
                              struct mq_target *memory, struct mq_error *);
void mq_objects_deinit(struct mq_objects *);

/* The file that ADDRESS is in, or null. */
struct mq_object *mq_objects_at(const struct mq_objects *,
                                    uint64_t address);

/* Whether all of LENGTH bytes from ADDRESS on are fixed. */
bool mq_objects_is_fixed(const struct mq_objects *, uint64_t address,
                         uint64_t length);

/* The symbol NAME of the file that is the NUMBERth in order, and that file's
 * BIAS; null if it has none, its kind is one of WITHOUT, or it is not the one
 * that the process has.  The program's files are first in order, and once more
 * behind the last one: their names of single sources count only then, as they
 * are no library's.
 */
const struct mq_symbol *mq_objects_symbol(const struct mq_objects *,
                                          size_t number, const char *name,
                                          int without, struct mq_modules *,
                                          struct mq_target *memory,
                                          uint64_t *bias);

/* Properties known from a file's name: of mpi/libraries.h's. */
int mq_object_kind(struct mq_object *);

/* The module of a file, which is opened if need be; null if that is not the
 * one that the process has.
 */
struct mq_module *mq_object_module(const struct mq_objects *,
                                   struct mq_object *,
                                   struct mq_modules *,
                                   struct mq_target *memory);

#endif
