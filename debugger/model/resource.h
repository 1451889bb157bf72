/* resource.h - resources that threads wait for, and their holders
 *
 * A thread that is in no MPI call may wait for a lock, a file, another thread,
 * a child or a device.  As words, in snapshots and digests:
 *
 *   resource KIND HOLDER RANK PROCESS THREAD NAME ACTIVITY
 *                              KIND is a name of resources.def; HOLDER is
 *                              unknown, nobody, thread (of the same process) or
 *                              process; then its rank, -1 for none, and its
 *                              numbers as the system counts, 0 where not known;
 *                              NAME and ACTIVITY may be empty
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RESOURCE_H
#define MQ_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum mq_resource_kind {
#define MQ_RESOURCE(id, name, noun, link, nobody) mq_resource_##id,
#include "model/resources.def"
#undef MQ_RESOURCE
    mq_resource_kinds
};

enum mq_holder {
    mq_holder_unknown,          /* PROCESS, if known, is one of several */
    mq_holder_nobody,           /* none that could release the thread */
    mq_holder_thread,           /* another thread of the process, or itself */
    mq_holder_process,          /* another process */
    mq_holders
};

struct mq_resource {
    enum mq_resource_kind kind;
    enum mq_holder holder;
    int32_t rank;               /* the holder's in the job; -1: not a rank of
                                   it, or not known */
    int32_t process;            /* 0: not known */
    int32_t thread;             /* 0: not known */
    const char *name;           /* "/scratch/run.lock", "pipe:[4711]"; null: it
                                   has none, or that is not known */
    const char *activity;       /* of the holder, a process, "sh, asleep in
                                   wait4"; null: not known */
};

/* Whether a thread goes on only once it has the resource: one that naps may go
 * on without it.
 */
bool mq_resource_holds_up(const struct mq_resource *);

extern const struct mq_resource_row {
    const char *name;           /* "mutex", as programs read it */
    const char *noun;           /* "a mutex", as reports name it */
    const char *link, *nobody;  /* the words between that and its holder, and
                                   those if it is nobody */
} mq_resource_rows[mq_resource_kinds];

/* Takes the words behind the keyword off *WORDS, whose bytes NAME is of from
 * then on.  Writes the words behind the keyword, and the end of the line.
 */
enum mq_result mq_resource_take(char **words, struct mq_error *,
                                struct mq_resource *resource);
void mq_resource_write(const struct mq_resource *, FILE *);

#endif
