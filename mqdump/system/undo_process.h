/* undo_process.h - child that undoes changes to processes if mqdump dies
 *
 * Each mark is registered with a child before it is made.  The child has a
 * session of its own, so that the end of a terminal or of a process group does
 * not end it, and undoes the marks when its parent ends without having done so.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_UNDO_PROCESS_H
#define MQ_UNDO_PROCESS_H

#include <sys/types.h>

#include "find/debug_flags.h"
#include "target/code_patch.h"

/* Changes to the memory of a process, to be undone. */
struct mq_debug_mark {
    struct mq_target *memory;   /* of the process; null: nothing was written */
    struct mq_debug_flags debug_flags;
    struct mq_flags_change change;
    struct mq_code_patch code;
};

/* All zero: not started yet. */
struct mq_undo_process {
    pid_t pid;
    int link;                   /* it ends when nobody has the other end */
};

/* Registers MARK, which is not made yet and stays the caller's; starts the
 * child if there is none.
 */
enum mq_result mq_undo_process_register(struct mq_undo_process *,
                                        const struct mq_debug_mark *,
                                        struct mq_error *);

/* Undoes MARK where memory still holds what was written. */
enum mq_result mq_debug_mark_undo(struct mq_debug_mark *mark,
                                  struct mq_error *);

/* Ends the child: all that was registered has been undone. */
void mq_undo_process_end(struct mq_undo_process *);

#endif
