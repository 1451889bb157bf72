/* mark.h - a process is told that it is being debugged while it is looked at */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_MARK_H
#define MQ_MARK_H

#include "acquire/words.h"
#include "mqdump/reading.h"

/* What was written to a process, and is to be set back.  All zero is nothing.
 * Holds no pointers: it can be in memory that is shared with a child.
 */
struct mq_debug_mark {
    int pid;                    /* 0: nothing */
    enum mq_byte_order byte_order;
    struct mq_type_sizes sizes;
    struct mq_words words;
    struct mq_words_change change;
};

/* Tells TARGET, process PID of this host, which stands still, if the options
 * want that and it is told by nobody else: from then on it remembers its sends.
 * Not in MPI_Init, where a library might wait for the debugger for ever.
 */
void mq_mark_begin(struct mq_target *target, int pid,
                   const struct mq_read_options *, struct mq_debug_mark *mark);

/* Sets back what was written, be the process stopped or not, and forgets it.
 * TELLER, which may be null, hears if that fails.
 */
void mq_mark_end(struct mq_debug_mark *mark, struct mq_teller *teller);

#endif
