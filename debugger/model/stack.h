/* stack.h - call stacks of threads, and movement between looks
 *
 * Back ends provide it for a target, and a job keeps it for each process.  As
 * words, in snapshots and, a little shorter, in digests, it is, from the first
 * thread on and in each from the innermost frame on.  The first is the main
 * thread or, while that waits for other threads, one that is inside MPI: it
 * represents the process.
 *
 *   thread CALL                one more thread; CALL is the outermost MPI
 *                              function, - for none, ? for not known
 *   frame FUNCTION OFFSET FILE LINE OBJECT WHOSE
 *                              its next frame; WHOSE is mpi for one of the MPI
 *                              library's own, else -
 *   left-out COUNT             so many frames are missing here
 *   argument NAME VALUE DEGREE an argument of its call; VALUE is decimal,
 *                              DEGREE sure or doubtful
 *   resource ...               a resource that it waits for: resource.h
 *   finalizer WHERE            it runs one: in object, or in collection, of
 *                              garbage
 *   number NUMBER              as the system calls it, if any thread of the
 *                              process waits for a resource, or runs one
 *
 * and how often it was looked at, in what time:
 *
 *   looks COUNT SECONDS MOVEMENT
 *                              MOVEMENT is unknown, moved, equal, still,
 *                              polled or stopped
 *
 * Texts are words as in word.h, empty ('%') where not known.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_STACK_H
#define MQ_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "model/resource.h"

enum {
    mq_most_threads = 4096,         /* of a process */
    mq_most_frames = 1024,          /* of a thread */
    mq_most_arguments = 1 << 17     /* of a thread */
};

/* The name of a kernel function's frame: it has called the handler of a signal,
 * whatever the thread was doing.
 */
#define MQ_SIGNAL_FRAME "<signal handler called>"

/* A function that a thread is in.  Unknown members are null or 0. */
struct mq_frame {
    const char *function;
    const char *file;           /* of the source */
    const char *object;         /* library that it is of; null: the program,
                                   or not known */
    uint64_t offset;            /* bytes from the function's beginning */
    int32_t line;               /* of FILE, from 1 on */
    bool in_mpi;                /* it is the MPI library's own, or called by
                                   it */
};

/* Whether two frames of a job, whose texts are each there once, are at the same
 * place of the program.
 */
bool mq_frame_is_same(const struct mq_frame *, const struct mq_frame *);

/* Whether a frame is of C++'s standard library: reports omit these. */
bool mq_frame_is_standard(const struct mq_frame *);

/* An argument of the outermost MPI call of a thread, by the name that the MPI
 * standard gives it in C ("source", "tag", "comm", "count").  An array gives an
 * argument for each element, in order; those of array_of_requests are
 * "requests", and the request of MPI_Wait and MPI_Test is "request".
 */
struct mq_argument {
    const char *name;
    int64_t value;              /* of an int, sign-extended; the bits of a
                                   handle or an address, zero-extended */
    bool doubtful;              /* it may have been overwritten: to be shown,
                                   and no ground for anything */
    const char *meaning;        /* of what MPI itself defines, as MPI_INT or
                                   MPI_ANY_SOURCE, or of a port whose name it
                                   is the address of, the name, or null; not
                                   among the words above */
};

/* What runs a finalizer, at a time of its own in each process. */
enum mq_finalizing {
    mq_finalizing_none,
    mq_finalizing_object,       /* the end of an object */
    mq_finalizing_collection,   /* garbage collection */
    mq_finalizings
};

/* A thread that is inside MPI or may call it, or the main thread. */
struct mq_thread {
    const char *call;           /* outermost MPI function by its C name,
                                   "MPI_Recv"; "-" for none; null: unknown */
    size_t frame_count;         /* from the innermost out; 0: unknown */
    const struct mq_frame *frames;
    size_t left_out;            /* frames that are missing ... */
    size_t left_out_at;         /* ... in front of the one with this index */
    int32_t site;               /* index of the frame that made the MPI call;
                                   of a thread in none, of the innermost frame
                                   whose source is known, else of the
                                   innermost; -1: unknown */
    size_t argument_count;
    struct mq_argument *arguments;
    int32_t number;             /* as the system calls it, 0: not known */
    struct mq_resource resource;        /* it waits for, outside MPI */
    enum mq_finalizing finalizing;
    bool is_woken;              /* only another thread of its process can wake
                                   it; not among the words above */
};

/* Whether CALL, which is a thread's or a process's, is a function of MPI's. */
bool mq_is_in_mpi(const char *call);

/* Whether a process went on between the first look at it and the last. */
enum mq_movement {
    mq_movement_unknown,        /* seen once */
    mq_moved,
    mq_looks_equal,             /* nothing was different in any look */
    mq_counted_still,           /* its call is counted not to have returned */
    mq_polled,                  /* it was in a call that polls, and at no look
                                   elsewhere in the program, nor anything else
                                   different */
    mq_stopped,                 /* a signal had stopped it, so that it could not
                                   go on */
    mq_movements
};

struct mq_looks {
    uint32_t count;             /* 0: nobody counted them */
    double seconds;             /* from the first to the last */
    enum mq_movement movement;
    bool is_open;               /* more looks may show what that is */
};

/* Threads in the making.  All zero is none.  The arrays are its own, the
 * strings are not.
 */
struct mq_stack {
    size_t thread_count;
    struct mq_thread *threads;
    size_t thread_room, frame_room, argument_room;
};

/* Each adds to the last thread.  Threads, frames and arguments are bounded. */
enum mq_result mq_stack_add_thread(struct mq_stack *, const char *call,
                                   struct mq_error *);
enum mq_result mq_stack_add_frame(struct mq_stack *, const struct mq_frame *,
                                  struct mq_error *);
enum mq_result mq_stack_add_argument(struct mq_stack *,
                                     const struct mq_argument *,
                                     struct mq_error *);
enum mq_result mq_stack_leave_out(struct mq_stack *, size_t count,
                                  struct mq_error *);
void mq_stack_deinit(struct mq_stack *);

/* The argument of that name of a thread's call, or null.  mq_thread_value gives
 * the value of one that is not doubtful, or false; a null NAME has none.
 */
const struct mq_argument *mq_thread_argument(const struct mq_thread *thread,
                                             const char *name);
bool mq_thread_value(const struct mq_thread *thread, const char *name,
                     int64_t *value);

/* What runs a finalizer if FUNCTION does. */
enum mq_finalizing mq_finalizing_of(const char *function);

/* Whether any of COUNT threads waits for a resource, or runs a finalizer. */
bool mq_threads_have_resources(const struct mq_thread *threads, size_t count);

/* THREAD, which is seen in no call, counts as in CALL; its site follows. */
void mq_thread_put_in(struct mq_thread *thread, const char *call);

/* Whether a thread waits until all others of its team have come, as OpenMP has
 * it.
 */
bool mq_thread_is_at_barrier(const struct mq_thread *thread);

/* Whether the thread NUMBER of COUNT goes on only after another one of them: of
 * those at a barrier, one that is in MPI must be of a team.
 */
bool mq_thread_follows(const struct mq_thread *threads, size_t count,
                       size_t number);

/* Whether a thread is in a parallel region of OpenMP. */
bool mq_thread_is_of_team(const struct mq_thread *thread);

/* Takes the words behind KEYWORD off *WORDS, whose bytes the strings are from
 * then on: mq_absent if it is none of the keywords above.
 */
enum mq_result mq_stack_take(struct mq_stack *, const char *keyword,
                             char **words, struct mq_error *);

/* The same for one frame or argument that is not added to anything. */
enum mq_result mq_frame_take(char **words, struct mq_error *,
                             struct mq_frame *);
enum mq_result mq_argument_take(char **words, struct mq_error *,
                                struct mq_argument *);

enum mq_result mq_looks_take(char **words, struct mq_error *,
                             struct mq_looks *);

/* Write the lines, and of one frame or argument the words behind the keyword,
 * with the end of the line.
 */
void mq_stack_write(const struct mq_thread *threads, size_t count, FILE *);
void mq_frame_write(const struct mq_frame *, FILE *);
void mq_argument_write(const struct mq_argument *, FILE *);
void mq_thread_write_resource(const struct mq_thread *, FILE *);
void mq_looks_write(const struct mq_looks *, FILE *);

#endif
