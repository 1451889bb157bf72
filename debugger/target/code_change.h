/* code_change.h - temporary code patches (breakpoints)
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CODE_CHANGE_H
#define MQ_CODE_CHANGE_H

#include "target/target.h"

/* Plain values; LENGTH 0: nothing is changed. */
struct mq_code_change {
    uint64_t address;
    unsigned char before[2], after[2];
    unsigned length;
};

/* Who sets it back if this program cannot any more. */
struct mq_guard {
    enum mq_result (*tell)(struct mq_guard *, struct mq_target *memory,
                           const struct mq_code_change *, struct mq_error *);
};

/* Changes what has BEFORE in MEMORY, once GUARD knows, and sets it back if it
 * still is what it became.
 */
enum mq_result mq_code_change_make(const struct mq_code_change *,
                                   struct mq_target *memory,
                                   struct mq_guard *guard, struct mq_error *);
enum mq_result mq_code_change_undo(const struct mq_code_change *,
                                   struct mq_target *memory,
                                   struct mq_error *);

#endif
