/* loaded.h - addresses of variables in the loaded files of a process
 *
 * By /proc/PID/maps and the files' own symbol tables: nothing is stopped, no
 * word of another process counts, and none of its own but which files it has
 * loaded; those irrelevant to MPI (mpi/libraries.def) are not read.  A variable
 * is found only in its private mapping of the very file that defines it, or in
 * the zeros that follow; one that is to be written to, only where the process
 * could do so itself.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LOADED_H
#define MQ_LOADED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { mq_loaded_names = 20 };  /* at most */

struct mq_loaded_name {
    const char *name;
    uint64_t size;              /* bytes that it has at least */
    bool is_function;           /* else a variable */
};

/* The purpose of the look-up. */
enum mq_loaded_use {
    mq_loaded_to_read,
    mq_loaded_to_write
};

/* The cache of files; each is read once: processes of a job have the same.  All
 * zero but for the names, which must live as long; names that begin alike are
 * adjacent.
 */
struct mq_loaded {
    const struct mq_loaded_name *names;
    size_t name_count;
    size_t count, room;
    struct mq_loaded_file *files;
    uint64_t symbols;           /* that were looked at, in all */
};

/* Gives the addresses of the names in process PID; 0 where there is none.  The
 * first file in the order of the maps that has a name counts.
 */
enum mq_result mq_loaded_find(struct mq_loaded *, int pid, enum mq_loaded_use,
                              struct mq_error *,
                              uint64_t addresses[mq_loaded_names]);

void mq_loaded_deinit(struct mq_loaded *);

#endif
