/* keeper.h - child that undoes changes to processes if mqdump dies
 *
 * A child that does nothing else is told of each mark before it is made.  It
 * lives in a session of its own, so that what ends a terminal or a group of
 * processes does not end it, and sets the marks back when whoever made them is
 * gone without having said that this is done.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_KEEPER_H
#define MQ_KEEPER_H

#include <sys/types.h>

#include "acquire/words.h"
#include "target/code_change.h"

/* What was written to a process, and is to be set back. */
struct mq_debug_mark {
    struct mq_target *memory;   /* of the process; null: nothing was written */
    struct mq_words words;
    struct mq_words_change change;
    struct mq_code_change code;
};

/* All zero: there is none yet. */
struct mq_keeper {
    pid_t pid;
    int link;                   /* it ends when nobody has the other end */
};

/* Has a keeper, which is made if there is none, know of MARK, which is not made
 * yet and stays the caller's.
 */
enum mq_result mq_keeper_tell(struct mq_keeper *, const struct mq_debug_mark *,
                              struct mq_error *);

/* Sets MARK back as far as it still is what was written. */
enum mq_result mq_keeper_undo(struct mq_debug_mark *mark, struct mq_error *);

/* Ends the keeper: all that it was told of has been set back. */
void mq_keeper_end(struct mq_keeper *);

#endif
