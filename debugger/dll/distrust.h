/* distrust.h - what message-queue DLLs say that is known not to be so
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DISTRUST_H
#define MQ_DISTRUST_H

#include <stdbool.h>

#include "mpi_interface.h"
#include "target/target.h"

/* The faults of one DLL. */
struct mq_distrust {
    const char *file;           /* how the name of its file begins */
    const char *no_communicator;        /* the name of what is none */
    mqs_op_class untold;        /* a queue of which it tells nothing, whatever
                                   it answers */

    /* Makes of an operation of a queue what it is.  False: that cannot be
     * told, and so the queue is not told as a whole.
     */
    bool (*mend)(mqs_op_class, mqs_pending_operation *);

    /* Whether the group that is told of the communicator with a unique id is
     * not the one that its messages name.
     */
    bool (*is_wrong_group)(struct mq_target *, uint64_t id);
};

/* What is not to be believed of the DLL with that path, which is null for one
 * that is no file; null: nothing.
 */
const struct mq_distrust *mq_distrust_of(const char *path);

#endif
