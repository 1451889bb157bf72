/* pulse.h - cheap check whether a process makes progress
 *
 * By the best of what there is: its own count of MPI calls (libmqwatch), which
 * is read while it runs; a count of the kernel of how often its call has
 * returned; or the place of that call on its stack, for which it is stopped for
 * some microseconds, and no debugger is needed.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_PULSE_H
#define MQ_PULSE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "analysis/findings.h"
#include "base/strbuf.h"
#include "direct/halt.h"
#include "model/job.h"
#include "mqdump/sample/reading.h"
#include "process/activity.h"

/* The state of a process at the previous look. */
enum mq_progress {
    mq_progress_unknown,        /* nothing: it must be read again */
    mq_progress_moved,
    mq_progress_still,          /* it is in the same MPI call */
    mq_progress_polls,          /* its calls return, and have found nothing */
    mq_progress_outside,        /* it was in none, and may still be */
    mq_progress_ended,          /* the process has */
    mq_progress_kinds
};

/* Activity of a rank outside of MPI.  One that sleeps in one system call and
 * never has a processor does nothing; one that computes may be right to do so,
 * for as long as it likes.  All zero is a rank in MPI.
 */
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

struct mq_pulse {
    struct mq_pin pin;
    int rank;
    enum mq_rank_state state;   /* when it was read */
    bool is_stuck;              /* as it seemed then */
    enum mq_progress progress;  /* at the last look */
    bool has_moved;             /* since it was read */
    bool went_on;               /* between the pulse before this one and then,
                                   or that is not known */
    time_t since;               /* when it was first seen in its call */
    struct mq_spot spot;
    bool is_counted;            /* by the kernel, with the descriptor */
    int descriptor;
    uint64_t counter_at, counter;       /* as in struct mq_process */
    bool has_polled;            /* it was in a call that polls, when read */
    struct mq_outside outside;
    struct mq_halt halt;        /* while it is stopped for that */
    double stopped;             /* seconds that looks have stopped it */
};

/* Begins with a process that was read at the time NOW.  BEFORE is its pulse up
 * to then, or null; what is known from it lives on.
 */
void mq_pulse_begin(struct mq_pulse *, const struct mq_lead *,
                    const struct mq_analysis *, const struct mq_pulse *before,
                    time_t now);
void mq_pulse_end(struct mq_pulse *);

/* Looks at the process. */
void mq_pulse_take(struct mq_pulse *, time_t now);

/* Whether it has slept since its time, and nothing but somebody else's doing
 * can wake it: not the clock, nor the end of a child.
 */
bool mq_outside_is_blocked(const struct mq_outside *);

/* "asleep in openat since 21:11 at io.c:40" */
void mq_outside_words(const struct mq_outside *, struct mq_strbuf *words);

#endif
