/* traced.h - a traced process with breakpoints
 *
 * By the tracing of the kernel, as in halt.h, with a breakpoint at each place
 * while it runs.  What it executes instead, its threads and what it forks are
 * followed as far as that is needed: new threads have the breakpoints, too, and
 * new processes go their way without.
 *
 * Should this program end, all go on by themselves.  A guard, who is told of
 * each breakpoint before it is made, takes it out then.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TRACED_H
#define MQ_TRACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "target/code_change.h"
#include "target/target.h"

enum { mq_most_places = 16 };

struct mq_traced_thread {
    pid_t id;
    enum { mq_traced_runs, mq_traced_stands, mq_traced_ended } state;
    int signal;                 /* that it was about to get: it still does */
    bool is_held_by_signal;     /* with all its process */
    uint64_t at;                /* the place that it has come to; 0: none */
    bool is_told;               /* that */
};

/* All zero: nothing. */
struct mq_traced {
    int pid;
    bool is_child;              /* of this program's, who waits for its end */
    struct mq_guard *guard;
    struct mq_target *memory;   /* of what it executes now */
    struct mq_traced_thread *threads;   /* the main thread is the first */
    size_t count, room;
    struct mq_code_change places[mq_most_places];      /* breakpoints */
    size_t place_count;
    bool has_executed, has_ended;       /* since that was asked for */
    int status;                 /* if it has ended: the exit status, or -1 */
};

/* Stops process PID of this host and goes on with it.  GUARD outlives it. */
enum mq_result mq_traced_begin(struct mq_traced *, int pid,
                               struct mq_guard *guard, struct mq_error *);

/* Lets go of it, at once or, with a SPIN, at the first place that it has come
 * to, where it stays, and uses a processor, until mq_code_change_undo.
 */
void mq_traced_end(struct mq_traced *);
enum mq_result mq_traced_spin(struct mq_traced *, struct mq_error *,
                              struct mq_code_change *spin);

/* Stop it at ADDRESS from now on, or no more.  Only while it stands still. */
enum mq_result mq_traced_add(struct mq_traced *, uint64_t address,
                             struct mq_error *);
void mq_traced_drop(struct mq_traced *, uint64_t address);

/* Lets it run on from where it was told to be, takes note of what its threads
 * have done since, and stops it.
 */
void mq_traced_go(struct mq_traced *);
void mq_traced_look(struct mq_traced *);
enum mq_result mq_traced_stop(struct mq_traced *, struct mq_error *);

/* Whether a thread has come to a place, and to which; each is told once. */
bool mq_traced_arrived(struct mq_traced *, uint64_t *address);

#endif
