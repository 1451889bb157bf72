/* snapshot.h - a target that is an mqsnap file
 *
 * The format is version 1 of mqsnap: one stopped process's type sizes, types,
 * symbols and memory as lines of text.  A reader needs nothing else.
 */
#ifndef MQ_SNAPSHOT_H
#define MQ_SNAPSHOT_H

#include <stdio.h>

#include "target.h"

/* Reads the snapshot FILE.  Whatever is wrong with it is refused with a
 * sentence that begins with "FILE:LINE: ".
 */
int mq_snapshot_open(const char *file, struct mq_error *,
                     struct mq_target **target);

/* The same from LENGTH bytes of text that is called FILE in messages. */
int mq_snapshot_parse(const char *file, const char *text, size_t length,
                      struct mq_error *, struct mq_target **target);

#endif
