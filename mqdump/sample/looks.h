/* looks.h - repeated looks at one process */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_LOOKS_H
#define MQ_LOOKS_H

#include <stdio.h>

#include "model/job.h"
#include "model/stack.h"
#include "process/proc_stat.h"
#include "target/target.h"

enum {
    mq_looks_usual = 3,
    mq_looks_most = 10,         /* before looks that are equal say something:
                                   a loop looks the same at every round */
    mq_looks_asked = 8,         /* different calls that are kept */
    mq_looks_data = 16,         /* frames whose data is compared */
    mq_looks_counted = 64       /* threads whose calls are counted */
};

/* Results of the looks at a process.  All zero is none. */
struct mq_look_series {
    struct mq_looks looks;
    double begin;               /* when the first was taken */
    char *first;                /* what it showed; null if not known */
    char *way;                  /* of that, what polls leave as it is */
    uint64_t place;             /* in the innermost of the program's functions,
                                   for which that is of no more use */
    bool polls;                 /* it was in a call that polls, or that may be
                                   one of a loop that does, at some look */
    bool polled_first;          /* it was in a call that polls at the first */
    bool takes_back;            /* it was in one that takes a request back */
    bool blocks;                /* it was in one that blocks, */
    bool waited;                /* and such a one for requests has returned */
    bool has_pending;           /* a receive of its own was pending */
    bool differs;               /* a look was not as the first, or a call had
                                   returned: a thread that comes round is not
                                   still */
    char *asked[mq_looks_asked];        /* of windows, by such calls, at looks;
                                   null: no more */
    struct mq_spot spot;        /* of the first thread, at the last */
    double settling;            /* since when it runs, between two */
    struct mq_proc_sched had;   /* before that; below 0 used: not known */
    bool is_starved;            /* it got none to go on with */
    bool is_inside;             /* it was in a call at the last look, */
    bool was_ending;            /* and on its way out at the first */
    double worth;               /* seconds that the looks are to last, for all
                                   that they can show */
    bool is_counted;            /* since the first, by the kernel: of all
                                   threads that were in calls that block */
    size_t counter_count;
    int counters[mq_looks_counted];     /* of returns */
    uint64_t counter_at;        /* of the process's own, which had counted so */
    uint64_t returned;          /* many at the first */
    struct mq_activity_series activity; /* what it does between them */
    size_t data_count;          /* functions' data that is compared */
    struct mq_changing {
        struct mq_frame_data first, latest;
        uint32_t changes;       /* to what it was not at the first either */
    } data[mq_looks_data];
    bool is_alone;              /* nothing that a look shows can change before
                                   the call of its first thread returns, but its
                                   memory */
    bool is_sealed;             /* nor that */
};

/* Takes one look at TARGET, which is stopped, and at PROCESS, what was read of
 * it.  PID is its number on this host, or 0.  Sets the target's results of
 * looks.
 */
enum mq_result mq_look_take(struct mq_look_series *, struct mq_target *target,
                            struct mq_process *process, int pid,
                            struct mq_error *);

/* Takes a look at TARGET, at which all is as at the look before. */
void mq_look_repeat(struct mq_look_series *, const struct mq_target *target);

/* Whether process PID, which runs, is certain to show what it showed at the
 * look before, that at TARGET.
 */
bool mq_look_holds(const struct mq_look_series *, struct mq_target *target,
                   int pid);

/* Takes a look at process PID, which runs and was so before. */
void mq_look_repeat_running(struct mq_look_series *, int pid);

void mq_look_series_deinit(struct mq_look_series *);

/* Writes what was read of PROCESS but where its threads are, as a digest has
 * it: what differs has moved.
 */
enum mq_result mq_look_write_queues(const struct mq_process *process, FILE *,
                                    struct mq_error *);

/* Process PID is about to be stopped, or was not: what does it do? */
void mq_look_ask(struct mq_look_series *, int pid);

/* Process PID, and others with it, run from now on. */
void mq_look_settle_begin(struct mq_look_series *, int pid);

/* Waits until it has run for SECONDS, and one that polls for a part of that on
 * a processor, too; not for ever: the series notes one that was starved.
 */
void mq_look_settle_end(struct mq_look_series *, int pid, double seconds);

#endif
