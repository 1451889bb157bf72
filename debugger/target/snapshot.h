/* snapshot.h - a target that is an mqsnap file
 *
 * The format is version 1 of mqsnap: one stopped process's type sizes, types,
 * symbols and memory as lines of text.  A reader needs nothing else.
 */
#ifndef MQ_SNAPSHOT_H
#define MQ_SNAPSHOT_H

#include <stdio.h>

#include "target/target.h"

/* The begin of a comment that says what was recorded: its rest is the target's
 * name, so that a recording shows the same as what it was made of.
 */
#define MQ_SNAPSHOT_ORIGIN "# recorded from "

/* Reads the snapshot FILE.  Whatever is wrong with it is refused with a
 * sentence that begins with "FILE:LINE: ".  The target's name is FILE, unless
 * the snapshot says what it was recorded from.
 */
enum mq_result mq_snapshot_open(const char *file, struct mq_error *,
                                struct mq_target **target);

/* The same from LENGTH bytes of text that is called FILE in messages. */
enum mq_result mq_snapshot_parse(const char *file, const char *text,
                                 size_t length, struct mq_error *,
                                 struct mq_target **target);

#endif
