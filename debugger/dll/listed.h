/* listed.h - handles that the message-queue DLL lists
 *
 * The DLLs in queues/ give the handles of communicators and of requests, so
 * that the arguments of a call can be understood without a handle DLL.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_LISTED_H
#define MQ_LISTED_H

#include "model/awaited.h"
#include "target/target.h"

struct mq_listed {
    struct mq_resolver resolver;
    struct mq_target *target;
    bool has_numbers;           /* for handles */
};

/* Makes a resolver for PROCESS, which was read from TARGET: mq_absent if no
 * handles are known of it.
 */
enum mq_result mq_listed_init(struct mq_listed *, struct mq_target *target,
                              const struct mq_process *process,
                              struct mq_error *);

#endif
