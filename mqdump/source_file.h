/* source_file.h - where the user says that processes are
 *
 * Each word or option that names processes becomes a source, and all are read
 * in the order of the command line.
 */
#ifndef MQ_SOURCE_FILE_H
#define MQ_SOURCE_FILE_H

#include <stddef.h>

#include "base/error.h"
#include "mqdump/reading.h"

enum { mq_source_values = 2 };

struct mq_source {
    /* Hands each process that VALUES name to the reader.  Complains itself if
     * only some could not be read.
     */
    enum mq_result (*read)(char *const *values, struct mq_reader *,
                           struct mq_error *);
    char *values[mq_source_values];     /* words of the command line */
};

struct mq_sources {
    size_t count;
    struct mq_source *items;
};

/* Adds a source that READ reads with COUNT of its option's VALUES. */
enum mq_result mq_sources_add(struct mq_sources *,
                              enum mq_result (*read)(char *const *,
                                                     struct mq_reader *,
                                                     struct mq_error *),
                              char *const *values, size_t count,
                              struct mq_error *);
void mq_sources_clear(struct mq_sources *);

/* Reads all sources.  What fails is told to the user, and the rest is read. */
void mq_sources_read(const struct mq_sources *, struct mq_reader *);

/* The source that is a file, an mqsnap file or a digest, or a folder of them. */
enum mq_result mq_read_file(char *const *values, struct mq_reader *,
                            struct mq_error *);

/* Whether the first word of FILE is WORD; no if it cannot be read, or only
 * once.
 */
bool mq_file_begins_with(const char *file, const char *word);

#endif
