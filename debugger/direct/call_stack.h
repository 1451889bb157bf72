/* call_stack.h - call stacks of the threads of a halted process
 *
 * Method: each thread is unwound, up to main; the outermost MPI function is its
 * call.  Copied are, besides the thread that represents the process, those
 * inside MPI and, with their innermost function alone, those that may call it.
 * The functions of a Python program replace those of its interpreter, and of
 * what is behind these.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_CALL_STACK_H
#define MQ_CALL_STACK_H

#include "direct/awaited_file.h"
#include "direct/scripts.h"
#include "model/stack.h"
#include "symbols/parameters.h"
#include "symbols/places.h"
#include "symbols/recovered.h"
#include "symbols/unwind.h"

/* A function that a thread is in. */
struct mq_call_place {
    const struct mq_place *place;       /* null: nothing is known */
    const char *call;           /* the MPI function that it is, or null */
    bool is_c;                  /* of the C binding */
    size_t frame;               /* that it is in, or its caller is */
    bool is_left;               /* it has called another one last, and has no
                                   frame any more */
    uint64_t offset;            /* from the function's beginning */
};

/* One thread.  All zero: nothing is known. */
struct mq_call_stack {
    pid_t thread;
    struct mq_machine_frame *frames;
    size_t frame_count, frame_room;
    struct mq_call_place *places;       /* from the innermost out */
    size_t place_count, place_room;
    bool is_whole;              /* up to main, or to the outermost frame */
    bool has_outermost;         /* it is inside MPI, at ... */
    size_t outermost;           /* ... this place */
    struct mq_resource resource;        /* it waits for, outside MPI */
    struct mq_resource_texts texts;     /* of that */
};

/* All threads of a process. */
struct mq_call_stacks {
    struct mq_call_stack *all;  /* the main thread is the first */
    size_t count, first;        /* the one that represents the process */
    bool are_all;               /* there are no more threads */
    bool may_be_handlers;       /* of signals, that let a thread go on */
    bool lacks_arguments;       /* some of their calls' are not known */
    bool is_lost;               /* the way out of a thread was lost */
};

/* Data needed to read them. */
struct mq_call_reader {
    struct mq_unwinder unwinder;
    struct mq_places *places;
    const struct mq_mpi_functions *functions;
    struct mq_recovery *recovery;       /* null: machine code is not analysed */
    struct mq_scripts *scripts;         /* null: they are not copied */
};

/* Follows one thread out from where its REGISTERS say that it is. */
enum mq_result mq_call_stack_follow(const struct mq_call_reader *,
                                    const struct mq_machine *,
                                    const struct mq_registers *registers,
                                    struct mq_error *,
                                    struct mq_call_stack *stack);

/* The innermost place in an interpreter of Python; place_count: there is none.
 */
size_t mq_call_stack_interpreter(const struct mq_call_stack *);

/* The function of the C library, or of a pool of threads, that the program has
 * called and that the thread is in; empty: none.  *INSIDE is the place behind.
 */
const char *mq_call_stack_waits_in(const struct mq_unwinder *,
                                   const struct mq_call_stack *,
                                   size_t *inside);

/* The frame that has called the C library, which a thread outside MPI is in;
 * frame_count: it is in none.
 */
size_t mq_call_stack_caller(const struct mq_call_stack *);

/* Reads COUNT threads, at least one, which are stopped. */
enum mq_result mq_call_stacks_read(const struct mq_call_reader *,
                                   const struct mq_thread_registers *threads,
                                   size_t count, struct mq_error *,
                                   struct mq_call_stacks *stacks);
void mq_call_stacks_deinit(struct mq_call_stacks *);

/* The index of a thread by its number; the count of threads: it has none. */
size_t mq_call_stacks_index(const struct mq_call_stacks *, int32_t thread);

/* The last thread in the chain of holders from the first thread on; the first
 * if it waits for none, or for itself.
 */
size_t mq_call_stacks_last(const struct mq_call_stacks *);

/* Whether no other thread of the process goes on by itself, nor a handler of
 * signals, so that nothing of it can end what this thread waits for.
 */
bool mq_call_stacks_has_only(const struct mq_unwinder *,
                             const struct mq_call_stacks *,
                             const struct mq_call_stack *);

/* Chooses the thread that represents the process, once the resources of all are
 * known (direct/resources.h).
 */
void mq_call_stacks_choose(const struct mq_call_reader *,
                           struct mq_call_stacks *);

/* Copies them to STACK; the strings are those of the modules, places and
 * scripts.
 */
enum mq_result mq_call_stacks_copy(const struct mq_call_reader *,
                                   struct mq_call_stacks *,
                                   struct mq_stack *stack, struct mq_error *);

/* Data that differ if a thread has moved, and if one beside the first has that
 * is inside MPI or may call it, as in struct mq_live_ops.
 */
enum mq_result mq_call_stacks_mark(const struct mq_call_stacks *, int thread,
                                   struct mq_error *, struct mq_spot *spot,
                                   char **text);
enum mq_result mq_call_stacks_mark_callers(const struct mq_call_reader *,
                                           const struct mq_call_stacks *,
                                           struct mq_error *,
                                           char **text);

#endif
