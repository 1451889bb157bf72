/* gdb.h - a target that is a process, a core file or a stub behind gdb
 *
 * Symbols, types, memory and stacks come from a gdb that is started for one
 * process or for several, or from a gdb that a user has running.
 * Memory is read in blocks and kept, a type comes with all its members, so that
 * requests are few.  A process stands still from the open to the destroy, or
 * from each stop to when it is let go.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_GDB_H
#define MQ_GDB_H

#include "gdb/gdb_link.h"
#include "process/owner.h"
#include "target/target.h"

enum mq_gdb_kind {
    mq_gdb_process,             /* PID of this host */
    mq_gdb_core,                /* PLACE is the core file of PROGRAM */
    mq_gdb_remote               /* PLACE is HOST:PORT, where a gdbserver or an
                                   emulator's stub holds PROGRAM */
};

struct mq_gdb_subject {
    enum mq_gdb_kind kind;
    int pid;
    struct mq_owner owner;      /* that process when it was named; nothing
                                   pinned: it is when it is opened */
    const char *program;
    const char *place;
    int rank;                   /* in MPI_COMM_WORLD; -1 if not known */
    uint32_t world;             /* which one, of several; else 0 */
};

struct mq_gdb_options {
    struct mq_gdb_setup setup;
    const char *types;          /* object file that describes types, or null */
    const char *until;          /* function that a remote process shall enter
                                   before it is looked at, or null */
};

/* Starts a gdb and stops the subject. */
enum mq_result mq_gdb_open(const struct mq_gdb_options *,
                           const struct mq_gdb_subject *, struct mq_error *,
                           struct mq_target **target);

/* The same without stopping it, with a gdb that was started before and may
 * serve other targets, too: the link stays the caller's and must outlive the
 * target.  All that takes gdb long is done.  Nothing of the target but its name
 * can be used before it is stopped.  What is no process of this host stands
 * still from here on.
 */
enum mq_result mq_gdb_prepare(struct mq_gdb_link *,
                              const struct mq_gdb_options *,
                              const struct mq_gdb_subject *, struct mq_error *,
                              struct mq_target **target);

/* The process with gdb's own NUMBER behind a link to a user's gdb, and the
 * numbers of all that it has; CURRENT is the place of that which the user looks
 * at.  The link stays the caller's and must outlive the target.  NUMBERS is
 * freed by the caller.
 */
enum mq_result mq_gdb_select(struct mq_gdb_link *, int number,
                             struct mq_error *, struct mq_target **target);
enum mq_result mq_gdb_inferiors(struct mq_gdb_link *, struct mq_error *,
                                int **numbers, size_t *count, size_t *current);

/* Has the process stop when it executes another program.  Signals are passed on
 * without stopping it.
 */
enum mq_result mq_gdb_follow(struct mq_target *, struct mq_error *);

/* Asks anew what the process is and where it is, after it has run.  Its image
 * and types are others then.
 */
enum mq_result mq_gdb_describe(struct mq_target *, struct mq_error *);

/* What ended a process's run. */
enum mq_gdb_event_kind {
    mq_gdb_entered,             /* it is at the beginning of FUNCTION */
    mq_gdb_executed,            /* it has executed another program */
    mq_gdb_signalled,           /* a signal; gdb's own, if it was told to stop
                                   the process */
    mq_gdb_exited,              /* there is no process any more */
    mq_gdb_stopped              /* something else */
};

struct mq_gdb_event {
    enum mq_gdb_event_kind kind;
    char function[64];
    int process;                /* gdb's number of the one that stopped */
    int status;                 /* of a process that exited; -1 if a signal
                                   ended it */
};

/* Whether EVENT is of TARGET, rather than of another target of its gdb. */
bool mq_gdb_is_of(const struct mq_gdb_event *event, const struct mq_target *);

/* Lets the process run until it enters one of FUNCTIONS, separated by blanks or
 * none, stops of itself, is interrupted, or SECONDS have passed (negative: no
 * limit).  So do all others of its gdb that stand still, and each may end the
 * run of all; what was known of them is asked anew by mq_gdb_describe.
 */
enum mq_result mq_gdb_run(struct mq_target *, const char *functions,
                          int seconds, struct mq_error *,
                          struct mq_gdb_event *event);

/* The link of a target, for its state and its figures; null if it is not behind
 * gdb.
 */
struct mq_gdb_link *mq_gdb_link_of(const struct mq_target *);

/* The path of mqdump.py, in the running program's FOLDER or where it is
 * installed, in a new string.
 */
enum mq_result mq_gdb_find_script(const char *folder, struct mq_error *,
                                  char **path);

#endif
