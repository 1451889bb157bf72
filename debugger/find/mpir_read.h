/* mpir_read.h - reader of the MPIR variables (include/mpir.h)
 *
 * What each variable means, and whether it is required, is as in "TV Process
 * Acquisition with MPICH".  Whatever is missing or wrong is logged; what can be
 * read in spite of it is given.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_MPIR_READ_H
#define MQ_MPIR_READ_H

#include <stdbool.h>

#include "base/log.h"
#include "find/proctable.h"
#include "find/variables.h"
#include "target/target.h"

struct mq_mpir {
    bool exists[mq_mpir_symbols];
    uint64_t address[mq_mpir_symbols];
    bool is_state_known;
    int64_t debug_state;        /* 0 before the first stop, or not known */
    char *abort_string;         /* null: there is none; a block of malloc */
    struct mq_proctable table;  /* indexed by rank */
};

/* Reads the variables of a starter, or of a process that started its job.
 * mq_absent if TARGET has none of those that only such a process has.  Logs a
 * warning for a required variable that is missing, for any that is wrong, and
 * for each entry of the table that cannot be used, and a verbose message for
 * each optional one that is missing.
 */
enum mq_result mq_mpir_read(struct mq_target *target, struct mq_logger *,
                            struct mq_error *, struct mq_mpir *mpir);
void mq_mpir_deinit(struct mq_mpir *mpir);

/* The meaning of the starter's state at a stop, such as "the job has been
 * spawned (MPIR_DEBUG_SPAWNED)".
 */
const char *mq_mpir_state_text(int64_t debug_state);

#endif
