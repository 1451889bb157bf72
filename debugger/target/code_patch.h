/* code_patch.h - temporary code patches (breakpoints)
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CODE_PATCH_H
#define MQ_CODE_PATCH_H

#include "target/target.h"

/* Plain values; LENGTH 0: no patch. */
struct mq_code_patch {
    uint64_t address;
    unsigned char before[4], after[4];
    unsigned length;
};

/* Undoes a patch if this program ends before; notified before it is applied. */
struct mq_patch_guard {
    enum mq_result (*notify)(struct mq_patch_guard *, struct mq_target *memory,
                             const struct mq_code_patch *, struct mq_error *);
};

/* Applies the patch to MEMORY, once GUARD is notified; undoes it if the patched
 * bytes are still there.
 */
enum mq_result mq_code_patch_apply(const struct mq_code_patch *,
                                   struct mq_target *memory,
                                   struct mq_patch_guard *guard,
                                   struct mq_error *);
enum mq_result mq_code_patch_undo(const struct mq_code_patch *,
                                  struct mq_target *memory,
                                  struct mq_error *);

#endif
