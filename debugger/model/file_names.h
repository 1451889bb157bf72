/* file_names.h - shortest unique names of a job's source files
 *
 * A build system may compile by absolute paths, which fill a line.  Each file
 * has its shortest suffix that no other file of the job has: "solver.cpp", or
 * "src/solver.cpp" if there is a "lib/solver.cpp".
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_FILE_NAMES_H
#define MQ_FILE_NAMES_H

#include "base/map.h"
#include "model/job.h"

struct mq_file_name {
    const char *file;           /* as frames have it */
    const char *name;           /* its end */
};

struct mq_file_names {
    size_t count, room;
    struct mq_file_name *all;   /* in the order of their first ranks */
    struct mq_map index;        /* in it, by address of the file */
};

/* Of all frames and sites of the job, whose strings the result points into.  It
 * is to be destroyed by the caller.
 */
enum mq_result mq_file_names_create(const struct mq_job *, struct mq_error *,
                                    struct mq_file_names *);
void mq_file_names_destroy(struct mq_file_names *);

/* The name of FILE, of a frame of that job. */
const char *mq_file_name(const struct mq_file_names *, const char *file);

#endif
