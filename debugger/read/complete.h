/* complete.h - completion of a process with what its queues do not show
 *
 * Queues do not show all: what its call waits for is known from libmqwatch, if
 * it was preloaded, else from the arguments on its stack, as far as the meaning
 * of handles is known; and threads beside may call MPI at any time.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_COMPLETE_H
#define MQ_COMPLETE_H

#include <stdbool.h>
#include <stdint.h>

#include "dll/handles.h"
#include "model/job.h"
#include "target/target.h"

enum {
    mq_handle_dll_room = 4096
};

/* Questions about a process's handles.  All zero: nothing. */
struct mq_handle_wishes {
    bool all;                   /* of all communicators and operations */
    bool worlds;                /* of a job of several: which communicators are
                                   inter-communicators and their members, as far
                                   as a DLL knows */
    bool one;                   /* only of this one: */
    enum mq_handle_kind kind;
    uint64_t value;
    char *dll;                  /* room for mq_handle_dll_room bytes, or null:
                                   the handle DLL in use; if it is empty, the
                                   one that is chosen is put there */
};

/* Fills in what the last process of JOB, which is TARGET and was walked with
 * the message-queue DLL QUEUES, waits for and what WISHES ask.  A remark says
 * which of these could not be met.
 */
enum mq_result mq_read_complete(const struct mq_handle_wishes *wishes,
                                const char *queues, struct mq_target *target,
                                struct mq_job *job, struct mq_error *);

#endif
