/* job.h - data model of a job: processes, communicators, operations
 *
 * A walk (walk.h) or a digest fills a job; analysis and reports read it.
 * Nothing here knows a DLL, a target or an MPI library.  Strings, groups
 * and stacks are held once for the whole job, so that a million ranks of one
 * communicator share one group, and equal ones are equal pointers.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_JOB_H
#define MQ_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/stack.h"
#include "process/activity.h"
#include "process/handler.h"

/* As mqs_op_class, in that order. */
enum mq_queue_class {
    mq_sends,
    mq_receives,
    mq_unexpected,
    mq_queue_classes
};

/* As enum mqs_status, in that order. */
enum mq_status {
    mq_pending,
    mq_matched,
    mq_complete
};

/* "send", "pending" and so on, as reports and digests name them. */
extern const char *const mq_queue_names[mq_queue_classes];
extern const char *const mq_status_names[mq_complete + 1];

/* The fields of mqs_pending_operation.  The actual_* ones mean something for a
 * send and from mq_matched on.
 */
struct mq_operation {
    int64_t desired_local;      /* -1: any source */
    int64_t desired_global;     /* -1: any source, or not known */
    int64_t desired_tag;        /* no meaning if tag_wild */
    int64_t desired_length;     /* -1: not known, of one from the stack */
    uint64_t buffer;
    uint64_t handle;            /* of its request, from the DLL; 0: not known */
    uint64_t mark;              /* of a message whose sender waits until it is
                                   received: that of its send (struct mq_mark);
                                   0: not known */
    int64_t actual_local;
    int64_t actual_global;
    int64_t actual_tag;
    int64_t actual_length;
    const char *extra;          /* lines separated by '\n', or null */
    const char *datatype;       /* in words, or null */
    uint8_t status;             /* enum mq_status */
    bool tag_wild;
    bool system_buffer;
    bool nowhere;               /* the process has no memory at its buffer,
                                   which is the address of nothing */
    bool from_stack;            /* no queue lists it: it is the blocking send,
                                   receive or probe of a thread's call, or a
                                   message that ranks counted */
};

/* Whether an operation of QUEUE is a receive from any source.  A send to -1, or
 * a message from there, is damage and no wildcard.
 */
bool mq_operation_is_any(enum mq_queue_class queue,
                         const struct mq_operation *operation);

/* COUNT ranks FIRST, FIRST + STEP, ... from local rank LOCAL on.  The step of a
 * run of one is 1.
 */
struct mq_run {
    int32_t local;
    int32_t first;
    int32_t count;
    int32_t step;
};

/* The global ranks of a communicator's group in local order, as the fewest runs
 * that a greedy reading from the left finds.
 */
struct mq_group {
    size_t size;                /* ranks */
    size_t run_count;
    struct mq_run runs[];
};

/* One queue of one communicator: a part of the process's operations. */
struct mq_queue {
    uint32_t first;
    uint32_t count;
    int8_t state;               /* mq_ok: known, possibly empty; mq_absent: the
                                   DLL has no information; mq_failed: a remark
                                   says why what is here may not be all */
};

/* Whether messages of a communicator go to its own members. */
enum mq_kind {
    mq_kind_unknown,
    mq_kind_intra,
    mq_kind_inter
};

struct mq_communicator {
    uint64_t id;
    uint64_t handle;            /* that the program uses, from the DLL; 0: not
                                   known */
    int64_t local_rank;
    int64_t size;
    const char *name;
    const struct mq_group *group;       /* null: the DLL does not know it, or a
                                           remark says why not */
    uint64_t agreed_id;         /* the same in all ranks; 0: not known */
    uint64_t entered;           /* collective operations on it so far, with the
                                   one that the call is in; only if agreed_id
                                   is known */
    bool is_window;             /* it is one, and its epochs are known */
    struct mq_queue queues[mq_queue_classes];
    const char *about;          /* topology, attributes and so on, as lines that
                                   end with '\n', or null */
    uint8_t kind;               /* enum mq_kind, from a handle DLL */
};

/* A remark to the user about a process. */
struct mq_remark {
    const char *text;           /* a sentence */
    bool is_error;              /* what is shown may be incomplete */
    int32_t communicator;       /* index in the process, or -1 */
    int8_t queue;               /* enum mq_queue_class, or -1 */
};

/* The operations that the first thread's call waits for, as far as known. */
enum mq_awaiting {
    mq_awaiting_unknown,        /* no evidence: only the queues show it */
    mq_awaiting_nothing,        /* it is in no call that waits */
    mq_awaiting_all,            /* each of the awaited operations (Recv, Wait,
                                   Waitall, Sendrecv) */
    mq_awaiting_any,            /* one of them (Waitany, Waitsome) */
    mq_awaiting_collective      /* the collective operation of its call */
};

/* One that is on no list although it is awaited is complete or is being filled,
 * so that the rank may go on.
 */
#define MQ_NOT_LISTED UINT32_MAX

/* Whether there is a process to look at. */
enum mq_presence {
    mq_present,
    mq_gone,                    /* the rank's process has ended */
    mq_not_read                 /* it is there, and could not be read */
};

/* Messages to and from one rank of a communicator with one tag, as the process
 * counted them.
 */
struct mq_tally {
    uint32_t communicator;      /* index in the process */
    int64_t peer;               /* local rank */
    int64_t tag;                /* below 0: all tags that have no tally */
    uint64_t sent, received;
    uint64_t sent_tags[2], received_tags[2];    /* if the tag is below 0: the
                                   sums of their tags, and of the squares of
                                   these; all 0 if not counted */
};

/* A nonblocking collective operation that the call waits for. */
struct mq_pending_collective {
    uint32_t communicator;      /* index in the process; it has an agreed id */
    const char *began;          /* the function that began it */
    uint64_t entered;           /* what ENTERED of the communicator was then */
    int64_t root;               /* below 0: none */
};

/* A request of the call that may be a send, which is on no queue: its message,
 * where it has arrived, would have the mark, and no other one of the process.
 */
struct mq_mark {
    uint64_t request;           /* in no digest */
    uint64_t mark;
    bool is_awaited;            /* the call waits for it; else in no digest */
};

/* Of a communicator whose group is not known, since some are of another
 * MPI_COMM_WORLD: its next COUNT members are ranks FIRST, FIRST + 1 and so on
 * of the world that the MPI library calls by the number WORLD.
 */
struct mq_members {
    uint32_t communicator;      /* index in the process */
    uint64_t world;
    int32_t first, count;
};

/* A collective operation that a process has entered on a communicator, be it in
 * it, waiting for it, or long past it.
 */
struct mq_collective {
    uint32_t communicator;      /* index in the process; it has an agreed id */
    const char *call;           /* the function that entered it */
    uint64_t entered;           /* what ENTERED of the communicator was then */
    int64_t root;               /* below 0: none */
    uint64_t signature;         /* a hash of what all members must give alike
                                   (how much data, which reduction); 0: not
                                   known */
    uint64_t given, taken;      /* hashes of what it gives to and takes from
                                   each member, added up: if each takes what the
                                   others give to it the sums over all members
                                   are equal; both 0: not known */
    int64_t count, bytes;       /* of its own part; -1: not known, or they
                                   differ from member to member */
    int64_t began;              /* nanoseconds since 1970; 0: not known */
    bool has_ended;             /* for certain */
    struct mq_frame site;       /* that made the call; no function: not known */
};

/* A lock of a window's part at one of its members, and whether it is held: the
 * call that locks may return before MPI has asked for it.
 */
enum mq_win_lock {
    mq_win_lock_none,
    mq_win_lock_shared,
    mq_win_lock_exclusive
};

enum mq_grant {
    mq_grant_asked,             /* the call has not returned */
    mq_grant_returned,
    mq_grant_proven             /* what was done under it is complete */
};

/* "shared", "asked" and so on, as digests name them. */
extern const char *const mq_win_lock_names[mq_win_lock_exclusive + 1];
extern const char *const mq_grant_names[mq_grant_proven + 1];

/* Locks and epochs of a process with one member of a window.  Its Nth start
 * for a target needs the target's Nth post for it.
 */
struct mq_epoch {
    uint32_t communicator;      /* index in the process: a window */
    int64_t peer;               /* local rank; below 0: all members */
    uint8_t lock;               /* enum mq_win_lock */
    uint8_t grant;              /* enum mq_grant, of the lock */
    uint64_t posted, waited;    /* exposure epochs begun, and ended */
    uint64_t started, completed;        /* access epochs */
    struct mq_frame site;       /* of the call that locks; no function: not
                                   known */
};

struct mq_process {
    const char *name;           /* where it was found: file, "process 4711" */
    const char *image;          /* executable */
    const char *call;           /* MPI function, "-" for none, null: unknown */
    int rank;                   /* global; -1 if not known */
    uint32_t world;             /* it counts in until mq_worlds_join */
    uint64_t world_number;      /* by which the MPI library calls that; its
                                   groups and members are of the worlds that
                                   they say then.  0: not known */
    uint8_t presence;           /* enum mq_presence */
    size_t thread_count;
    struct mq_thread *threads;  /* the one that represents the process first
                                   (stack.h); none: unknown.  The frames are the
                                   job's, and equal stacks are equal pointers */
    uint32_t concurrent_callers;        /* threads that may call MPI at any
                                           time, otherwise unknown */
    enum mq_handler handler;    /* the worst that a signal handler of the
                                   program's may do */
    uint8_t awaiting;           /* enum mq_awaiting */
    size_t awaited_count;
    uint32_t *awaited;          /* indices in operations, or MQ_NOT_LISTED */
    uint8_t movement;           /* enum mq_movement */
    uint32_t looks;             /* that were taken; 0 counts as 1 */
    double looked_for;          /* seconds from the first look to the last */
    struct mq_activity activity;        /* what it does outside our looks; the
                                           system call is the job's string */
    size_t communicator_count;
    struct mq_communicator *communicators;
    size_t operation_count;
    struct mq_operation *operations;
    size_t remark_count;
    struct mq_remark *remarks;
    const char *answer;         /* the meaning of a handle that was asked for,
                                   lines as above */
    size_t tally_count;
    struct mq_tally *tallies;
    size_t mark_count;
    struct mq_mark *marks;      /* of the first thread's call */
    size_t joined_count;
    struct mq_pending_collective *joined;       /* that the call, or one of
                                   several threads, waits for */
    size_t past_count;
    struct mq_collective *past; /* the latest of each communicator, ascending;
                                   of one that is not here nothing is known */
    size_t epoch_count;
    struct mq_epoch *epochs;
    size_t member_count;
    struct mq_members *members; /* ascending by communicator */
    uint64_t counter_at;        /* address of the process's own count of calls
                                   that have returned; 0: it has none */
    uint64_t counter;           /* what it was */
    uint64_t polls;             /* the latest so many of these calls looked for
                                   something in vain; in no digest */
    struct mq_process_rooms {   /* of the arrays (process_builder.c) */
        size_t communicators, operations, remarks, awaited, tallies, marks,
               joined, past, epochs, members;
    } rooms;
};

/* One MPI_COMM_WORLD of several.  Global ranks are places in the whole job: the
 * ranks of the first world, then those of the second, and so on.  Where there
 * is one world only, they are ranks in MPI_COMM_WORLD.
 */
struct mq_world {
    const char *name;           /* in the job's own words; its string */
    int first;                  /* the place of its rank 0 */
    int size;                   /* ranks */
};

struct mq_job {
    size_t world_count, world_room;
    struct mq_world *worlds;            /* none: there is one */
    size_t process_count;
    struct mq_process *processes;       /* in the order they were added */
    struct mq_pool *pool;               /* strings and groups */
    bool still;                         /* the user vouches that no rank has
                                           moved while they were read */
};

/* Makes an empty job and gives one back with all that it holds. */
enum mq_result mq_job_create(struct mq_error *, struct mq_job **job);
void mq_job_destroy(struct mq_job *job);

/* Moves PROCESS, which was built (process_builder.h) and whose strings and
 * groups are made by the functions below, into JOB, which frees the arrays in
 * the end.  On failure the arrays stay the caller's.
 */
enum mq_result mq_job_add(struct mq_job *, const struct mq_process *process,
                          struct mq_error *);

/* Takes the process that was added last out again, and frees it. */
void mq_job_take_back(struct mq_job *);

/* Frees the arrays of a process that was not added. */
void mq_process_deinit(struct mq_process *process);

/* Whether a process counts its collective operations, so that the communicator
 * of each call is known, if it has one.
 */
bool mq_process_notes_calls(const struct mq_process *process);

/* The index of the communicator whose object is at ID: mq_ok or mq_absent. */
enum mq_result mq_communicator_find(const struct mq_process *, uint64_t id,
                                    size_t *index);

/* The job's own copy of TEXT.  Null stays null. */
enum mq_result mq_job_string(struct mq_job *, const char *text,
                             struct mq_error *, const char **string);

/* The same with the job's own copy of its system call's name. */
enum mq_result mq_job_activity(struct mq_job *, const struct mq_activity *given,
                               struct mq_error *, struct mq_activity *activity);

/* The job's own copy of the group of SIZE global ranks; ranks must not be
 * negative.
 */
enum mq_result mq_job_group(struct mq_job *, const int *ranks, size_t size,
                            struct mq_error *, const struct mq_group **group);

/* The same from runs as a digest has them, which need not be the fewest and are
 * checked (local is ignored, as is the step of one rank).
 */
enum mq_result mq_job_group_of_runs(struct mq_job *, const struct mq_run *runs,
                                    size_t count, struct mq_error *,
                                    const struct mq_group **group);

/* The job's own copies of COUNT threads, in an array for a process, and the end
 * of that.  None stay null.
 */
enum mq_result mq_job_threads(struct mq_job *, const struct mq_thread *threads,
                              size_t count, struct mq_error *,
                              struct mq_thread **copies);
void mq_threads_free(struct mq_thread *, size_t count);

/* The global rank of a local rank, and the reverse; -1 if there is none. */
int mq_group_global(const struct mq_group *, int64_t local);
int mq_group_local(const struct mq_group *, int64_t global);

/* The run that a local rank is in; null if there is none. */
const struct mq_run *mq_group_run(const struct mq_group *, int64_t local);

/* A reference stays good as long as the job does not change. */

/* An operation, by the indices of its process in the job, and of its
 * communicator and itself in the process.
 */
struct mq_operation_ref {
    uint32_t process;
    uint32_t communicator;
    uint32_t operation;
    uint32_t queue;             /* enum mq_queue_class */
};

/* The operation that the reference names; the job owns it. */
const struct mq_process *
mq_operation_ref_process(const struct mq_job *,
                         const struct mq_operation_ref *);
const struct mq_communicator *
mq_operation_ref_communicator(const struct mq_job *,
                              const struct mq_operation_ref *);
const struct mq_operation *
mq_operation_ref_operation(const struct mq_job *,
                           const struct mq_operation_ref *);

/* The global rank that a send or an unexpected message comes from: that of the
 * send's process, or what the message says; -1 if not known.
 */
int64_t mq_operation_ref_sender(const struct mq_job *,
                                const struct mq_operation_ref *);

/* Goes to the next operation of the reference's process, communicator by
 * communicator and queue by queue; false after the last.
 * mq_operation_ref_before is where to begin.
 */
struct mq_operation_ref mq_operation_ref_before(size_t process);
bool mq_operation_ref_next(const struct mq_job *, struct mq_operation_ref *);

#endif
