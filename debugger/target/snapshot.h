/* snapshot.h - target that reads an mqsnap file
 *
 * One stopped process's type sizes, types, symbols and memory as lines of text.
 * A reader needs nothing else.  Version 2 of the format has, besides all of
 * version 1, the lines of stack.h, from `thread` on, for where the process is;
 * a `call` line is not needed then.  `late-sends` means that the process was
 * asked to record its sends only when it was looked at.  Version 3 has the line
 * of activity.h, too, and version 4 lines `site ADDRESS FRAME`: where the call
 * was made that returns to ADDRESS, the words of a frame behind that.  Version
 * 5 has `handler WHAT`: the worst that a signal handler of it may do, as
 * handler.h says.  Each is written only with what it has.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SNAPSHOT_H
#define MQ_SNAPSHOT_H

#include <stdio.h>

#include "target/target.h"

enum { mq_snapshot_version = 5 };      /* and 1 to 4 are read too */

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
