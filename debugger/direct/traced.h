/* traced.h - a traced process with breakpoints
 *
 * Traced by the kernel, as in halt.h, with a breakpoint at each place while it
 * runs.  Programs that it executes, its threads and its forks are followed as
 * far as needed: new threads have the breakpoints, too, and new processes run
 * without.
 *
 * If this program ends, all continue by themselves.  A guard, which is notified
 * of each breakpoint before it is set, removes it then.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TRACED_H
#define MQ_TRACED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "direct/restart.h"
#include "target/code_patch.h"
#include "target/target.h"

enum { mq_most_places = 16 };

struct mq_traced_thread {
    pid_t id;
    enum { mq_traced_runs, mq_traced_stopped, mq_traced_ended } state;
    int signal;                 /* that it was about to get: it still does */
    bool is_held_by_signal;     /* with all its process */
    uint64_t at;                /* the place it has reached; 0: none */
    bool is_reported;           /* this place */
    struct mq_restart restart;
};

/* All zero: nothing. */
struct mq_traced {
    int pid;
    bool is_child;              /* of this program, which waits for its end */
    struct mq_patch_guard *guard;
    struct mq_target *memory;   /* of what it executes now */
    struct mq_traced_thread *threads;   /* the main thread is the first */
    size_t count, room;
    struct mq_code_patch places[mq_most_places];       /* breakpoints */
    size_t place_count;
    bool has_executed, has_ended;       /* since that was asked for */
    int status;                 /* if it has ended: the exit status, or -1 */
};

/* Stops process PID of this host and goes on with it.  GUARD outlives it. */
enum mq_result mq_traced_begin(struct mq_traced *, int pid,
                               struct mq_patch_guard *guard, struct mq_error *);

/* Resumes it untraced, at once or, with a SPIN, at the first place that it has
 * reached, where it spins until mq_code_patch_undo.
 */
void mq_traced_end(struct mq_traced *);
enum mq_result mq_traced_spin(struct mq_traced *, struct mq_error *,
                              struct mq_code_patch *spin);

/* Adds or removes a breakpoint at ADDRESS.  Only while it is stopped. */
enum mq_result mq_traced_add(struct mq_traced *, uint64_t address,
                             struct mq_error *);
void mq_traced_drop(struct mq_traced *, uint64_t address);

/* Resumes it from the place that was reported, takes note of the events of its
 * threads since then, and stops it.
 */
void mq_traced_go(struct mq_traced *);
void mq_traced_look(struct mq_traced *);
enum mq_result mq_traced_stop(struct mq_traced *, struct mq_error *);

/* Whether a thread has come to a place, and to which; each is reported once. */
bool mq_traced_arrived(struct mq_traced *, uint64_t *address);

#endif
