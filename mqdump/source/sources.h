/* sources.h - sources of processes on the command line
 *
 * Each word or option that names processes becomes a source, and all are read
 * in the order of the command line.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SOURCES_H
#define MQ_SOURCES_H

#include <stddef.h>

#include "base/error.h"
#include "mqdump/sample/reading.h"

/* In the order of the table in sources.c. */
enum mq_source_kind {
    mq_source_file,             /* an mqsnap file, a digest, a record, or a
                                   folder of them */
    mq_source_processes,
    mq_source_core,
    mq_source_held,             /* of a user's gdb */
    mq_source_job,
    mq_source_launch,
    mq_source_cluster
};

enum { mq_source_values = 2 };

struct mq_source {
    enum mq_source_kind kind;
    char *values[mq_source_values];     /* words of the command line */
};

struct mq_sources {
    size_t count, room;
    struct mq_source *items;
};

/* Adds a source with as many of its option's VALUES as its kind has. */
enum mq_result mq_sources_add(struct mq_sources *, enum mq_source_kind,
                              char *const *values, struct mq_error *);
void mq_sources_deinit(struct mq_sources *);

/* A file is an mqsnap file, a digest, a record of libmqwatch, or a folder of
 * them; a job is named by the process that started it.
 */
mq_source_reader mq_read_file, mq_read_processes, mq_read_job;

/* Launches the command of the live settings. */
mq_source_reader mq_read_launch;

/* On the host of the user agents on all nodes of a job are started (gather.h),
 * or those that stay take their next round.  In an agent the ranks of its node
 * are found by their environment.  All is in the options' settings.
 */
mq_source_reader mq_read_cluster, mq_read_node;

/* Reads all sources.  Failures are logged, and the rest is read. */
void mq_sources_read(const struct mq_sources *, const struct mq_read_options *,
                     struct mq_reading *);

#endif
