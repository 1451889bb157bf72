/* activity.h - activity of a process between looks
 *
 * Whether it computes, or sleeps and in which system call, from the kernel, for
 * a process of this host.  As words, in snapshots and digests:
 *
 *   activity WHAT SHARE SINCE CALL
 *                              WHAT is unknown, computing, asleep, stopped
 *                              or working: computing, with data that changes;
 *                              SHARE and SINCE are decimal as below; CALL is a
 *                              name, or '%' if it is not known
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_ACTIVITY_H
#define MQ_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum mq_doing {
    mq_doing_unknown,
    mq_computing,               /* it is on a processor, or wants to be */
    mq_asleep,                  /* it was each time it was looked at, and used
                                   next to no processor */
    mq_doing_stopped,           /* by a signal */
    mq_doings
};

/* "computing" and so on, as files and programs read them. */
extern const char *const mq_doing_names[mq_doings];

/* Of all threads of a process; the system call is of the one that represents it
 * (stack.h) or, until that is known, of the main thread.
 */
struct mq_activity {
    enum mq_doing doing;
    int32_t share;              /* percent of one processor, between looks; -1:
                                   not known */
    bool works;                 /* and the data of its functions was another at
                                   each look */
    int64_t since;              /* seconds of time(): when it was first seen so;
                                   0: not known */
    const char *system_call;    /* "futex", or where the kernel gives only that,
                                   its function, "futex_wait_queue"; null: in
                                   none, or not known */
};

/* The state of a process over repeated looks.  All zero is nothing; NOW may
 * point into it.
 */
struct mq_activity_series {
    struct mq_activity now;
    char name[40];              /* of the system call */
    double begin;               /* since when it runs freely; 0: it does not */
    uint64_t ticks;             /* of the processor that it had used then */
    double free_seconds;        /* it ran freely in all ... */
    uint64_t used_ticks;        /* ... and used the processor for so long */
    double sought;              /* seconds of processor that its threads had,
                                   or had waited for, then; below 0: unknown */
    double sought_freely;       /* the same while it ran freely */
    int64_t slept;              /* how much more often its first thread had gone
                                   to sleep by then than lost a processor */
    int64_t slept_freely;
    bool is_known;              /* it was looked at */
};

/* Process PID of this host runs freely from now on. */
void mq_activity_begin(struct mq_activity_series *, int pid);

/* Looks at process PID while it still does; THREAD represents it. */
void mq_activity_look(struct mq_activity_series *, int pid, int thread);

/* Where THREAD of process PID sleeps, to NAME: the system call, or else the
 * function of the kernel's; empty: not known.  A wait that a debugger has
 * interrupted goes on as another system call: then what NAME is stays.
 */
void mq_activity_call(int pid, int thread, char *name, size_t room);

/* The same with the first COUNT arguments of the system call; false if any is
 * not known.
 */
bool mq_activity_arguments(int pid, int thread, uint64_t *arguments,
                           size_t count, char *name, size_t room);

/* Takes the words behind the keyword off *WORDS, whose bytes the system call's
 * name is of from then on.  Writes the line.
 */
enum mq_result mq_activity_take(char **words, struct mq_error *,
                                struct mq_activity *);
void mq_activity_write(const struct mq_activity *, FILE *);

/* The system calls of the machine that this was built for, from its headers. */
struct mq_system_call {
    long number;
    const char *name;
};

extern const struct mq_system_call mq_system_calls[];
extern const size_t mq_system_call_count;

/* The name of a system call of process PID; null: not known. */
const char *mq_system_call_name(int pid, long number);

#endif
