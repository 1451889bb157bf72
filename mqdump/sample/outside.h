/* outside.h - activity of a rank outside of MPI
 *
 * A rank that sleeps in one system call and never has a processor does nothing;
 * one that computes may be right to do so, for as long as it likes.
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_OUTSIDE_H
#define MQ_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/strbuf.h"
#include "model/job.h"
#include "process/activity.h"

/* All zero is a rank in MPI. */
struct mq_outside {
    bool is_outside;            /* in no MPI call when it was read */
    char place[200];            /* where it was then, "io.c:40"; or empty */
    enum mq_doing doing;        /* at the last look */
    char call[40];              /* the system call it sleeps in; or empty */
    uint64_t switches;          /* of the processor to other threads and back */
    bool is_quiet;              /* there were none between two looks, since it
                                   was read */
    time_t since;               /* when it was first seen to do so */
    struct mq_activity_series activity;
};

/* Begins with PROCESS, which runs as PID, as it was read at the time NOW;
 * BEFORE is what was known of PID until then, or null.
 */
void mq_outside_begin(struct mq_outside *, const struct mq_process *process,
                      int pid, const struct mq_outside *before, time_t now);

/* Looks at it. */
void mq_outside_look(struct mq_outside *, int pid, time_t now);

/* Whether it has slept since its time, and nothing but somebody else's doing
 * can wake it: not the clock, nor the end of a child.
 */
bool mq_outside_is_blocked(const struct mq_outside *);

/* "asleep in openat since 21:11 at io.c:40" */
void mq_outside_words(const struct mq_outside *, struct mq_strbuf *words);

#endif
