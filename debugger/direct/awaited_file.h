/* awaited_file.h - files, pipes, sockets and children that threads wait for
 *
 * Method: the system call that a thread sleeps in, with its arguments, names a
 * descriptor or a child, and the kernel lists the processes that have the other
 * end open or hold the lock.  Where several processes could end the wait, none
 * is its holder.  One step is followed behind a child: what that sleeps for.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_AWAITED_FILE_H
#define MQ_AWAITED_FILE_H

#include "model/resource.h"
#include "target/target.h"

/* A system call that a thread sleeps in. */
struct mq_sleeping_call {
    int process, thread;
    const char *name;           /* "read" */
    const uint64_t *arguments;  /* mq_call_arguments of them */
    struct mq_target *memory;   /* of the process; null: not readable */
    bool is_alone;              /* nothing of its own process can end it */
};

/* What the texts of a resource point to. */
struct mq_resource_texts {
    char name[128], activity[128];
};

/* The resource that it waits for; none if that is not known. */
struct mq_resource mq_file_find(const struct mq_sleeping_call *,
                                struct mq_resource_texts *);

#endif
