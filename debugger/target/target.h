/* target.h - abstract interface to one process
 *
 * A back end (a snapshot, a live process, a simulated one) fills in a struct
 * mq_target; everything else in the kit sees the process through it.  Addresses
 * and sizes are the target's, in bytes, up to 64 bits wide on any host.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_TARGET_H
#define MQ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/stack.h"
#include "process/activity.h"
#include "process/handler.h"

struct mq_target;

/* A member of a struct type, in bytes from its begin. */
struct mq_member {
    const char *name;
    uint64_t offset, size;
};

/* A struct type of the target, which lives as long as that does. */
struct mq_target_type {
    const char *name;
    uint64_t size;              /* bytes */
    const struct mq_member *members;
    size_t member_count;
};

enum mq_byte_order {
    mq_little_endian,
    mq_big_endian
};

struct mq_type_sizes {
    int short_size;
    int int_size;
    int long_size;
    int long_long_size;
    int pointer_size;
};

/* Those of Linux for programs of 64 and of 32 bits. */
extern const struct mq_type_sizes mq_wide_sizes, mq_narrow_sizes;

/* Operations of a back end.  Values come back in the last parameter, untouched
 * unless mq_ok; ERROR is written on mq_failed only and may be null.  Only what
 * says so may be null here.
 */
struct mq_target_ops {
    /* Copies LENGTH bytes at ADDRESS, in target order; all or mq_failed.
     * Address 0 always fails.  The buffer is undefined after a failure.
     */
    enum mq_result (*read)(struct mq_target *, uint64_t address, size_t length,
                           struct mq_error *, void *bytes);

    /* Writes to the process; null where the back end cannot. */
    enum mq_result (*write)(struct mq_target *, uint64_t address, size_t length,
                            const void *bytes, struct mq_error *);

    /* The symbol NAME, which is a function's or, for all that is known, any:
     * mq_ok, mq_absent, or mq_failed where the back end itself broke; null
     * where it has none.
     */
    enum mq_result (*find_name)(struct mq_target *, const char *name,
                                bool is_function, struct mq_error *,
                                uint64_t *address);
    /* The same of a struct type. */
    enum mq_result (*find_type)(struct mq_target *, const char *name,
                                struct mq_error *,
                                const struct mq_target_type **type);

    /* Null where the type itself has these; else it cannot be recorded. */
    enum mq_result (*find_member)(struct mq_target *,
                                  const struct mq_target_type *,
                                  const char *name, struct mq_error *,
                                  uint64_t *offset);
    enum mq_result (*type_size)(struct mq_target *,
                                const struct mq_target_type *,
                                struct mq_error *, uint64_t *size);

    /* Where the program made the call that returns to ADDRESS: mq_absent if
     * nothing is known there; null where the back end never knows.  The texts
     * are the target's, and already harmless to a terminal.
     */
    enum mq_result (*find_site)(struct mq_target *, uint64_t address,
                                struct mq_error *, struct mq_frame *site);

    /* Gives back all that the back end holds, the struct mq_target too. */
    void (*destroy)(struct mq_target *);
};

/* Numbers for a frame, or for its registers, and for what is in it. */
struct mq_frame_data {
    uint64_t frame, data;
};

/* Where the MPI call that a thread is in returns to, and where the stack of its
 * caller ends.  Both 0: not known, or it is in none.
 */
struct mq_spot {
    uint64_t return_address;
    uint64_t stack;
    int thread;                 /* its number on this host */
};

/* Operations on a process of this host that a back end has opened.  It is
 * stopped from each stop to the resume that follows.  A back end with locate
 * shows it, from each stop on, as it was then.
 */
struct mq_live_ops {
    /* Does what can be done before the stop, which is shorter then; halt asks
     * it to stop, so that many stop at one moment.  Null: stop does all of it.
     */
    enum mq_result (*prepare)(struct mq_target *, struct mq_error *);
    enum mq_result (*halt)(struct mq_target *, struct mq_error *);

    /* Whether it has stopped, or does in so many SECONDS: else the stop may
     * take long.  Null where halt is.
     */
    bool (*has_halted)(struct mq_target *, double seconds);

    /* Waits until it is stopped. */
    enum mq_result (*stop)(struct mq_target *, struct mq_error *);

    /* Reads the stacks of its threads as of the stop, whether or not it was
     * resumed since: mq_absent if what was read of that is torn.  Null: stop
     * does that, and nothing can be read after the resume.
     */
    enum mq_result (*locate)(struct mq_target *, struct mq_error *);

    /* Types and what a recorder noted stay. */
    enum mq_result (*resume)(struct mq_target *, struct mq_error *);

    /* Data that differ if THREAD, 0 for the first, has moved: its spot, and as
     * a TEXT for free() its number and the registers of its caller there.
     */
    enum mq_result (*mark)(struct mq_target *, int thread, struct mq_error *,
                           struct mq_spot *spot, char **text);

    /* Whether all that was read of its memory since it was stopped is as it was
     * then, but for the stack of its main thread below STACK and those of
     * others; it may have been resumed.  Null: that is not known.
     */
    bool (*holds)(struct mq_target *, uint64_t stack);

    /* Data that differ if another thread has moved that is inside MPI or may
     * call it, as a TEXT for free().
     */
    enum mq_result (*concurrent_callers)(struct mq_target *, struct mq_error *,
                                         char **text);

    /* Data of the program's functions in the first thread, to at most ROOM
     * places; how many that are.  Null: that is not known.
     */
    size_t (*data)(struct mq_target *, struct mq_frame_data *data,
                   size_t room);
};

/* The first member of each back end's own struct, which alone writes it but for
 * what the functions below set.  The strings belong to the target and are
 * already harmless to a terminal.
 */
struct mq_target {
    const struct mq_target_ops *ops;
    const struct mq_live_ops *live;     /* null: it is in files */
    const char *name;           /* in messages: a file, "process 4711" */
    const char *image;          /* the executable */
    enum mq_byte_order byte_order;
    struct mq_type_sizes sizes;
    bool may_name_dll;          /* a process of this host, whose word on the
                                   DLL counts if the file is to be trusted;
                                   never a core file or a snapshot */
    int pid;                    /* its id on this host; 0: none, or not known */
    int rank;                   /* in MPI_COMM_WORLD; -1 if not known */
    int world_size;             /* ranks of it; 0 if not known */
    const char *call;           /* the MPI function it is in, "-" if in none,
                                   null if not known */
    size_t thread_count;        /* 0: not known where it is */
    const struct mq_thread *threads;    /* the first represents it: stack.h */
    const char *gap;            /* what is not known of where it is, as a
                                   sentence, or null */
    struct mq_looks looks;      /* whether it moved, up to now */
    struct mq_activity activity;        /* what it did before it was stopped */
    bool late_sends;            /* it was asked to record its sends only when it
                                   was looked at: earlier ones are missing */
    bool is_torn;               /* some of what was read since the last stop was
                                   read when it had been resumed */
    bool is_unchanged;          /* at that stop, all that was read of the one
                                   before was as it had been */
    enum mq_handler handler;    /* the worst that a signal handler of the
                                   program's may do */
    bool is_stopped;            /* a signal had stopped it before it was looked
                                   at (SIGSTOP, a terminal, a scheduler) */
};

/* Reads an unsigned or sign-extended integer of SIZE 1, 2, 4 or 8 bytes, or a
 * pointer.
 */
enum mq_result mq_target_read_unsigned(struct mq_target *, uint64_t address,
                                       int size, struct mq_error *,
                                       uint64_t *value);
enum mq_result mq_target_read_signed(struct mq_target *, uint64_t address,
                                     int size, struct mq_error *,
                                     int64_t *value);
enum mq_result mq_target_read_pointer(struct mq_target *, uint64_t address,
                                      struct mq_error *, uint64_t *value);

/* Reads a terminated string of at most SIZE - 1 characters to TEXT, without
 * asking for a byte of a page behind that of the terminator.  A longer string
 * is cut and terminated.
 */
enum mq_result mq_target_read_string(struct mq_target *, uint64_t address,
                                     size_t size, struct mq_error *,
                                     char *text);

/* Turns SIZE bytes in the target's order into a host value. */
uint64_t mq_decode_unsigned(enum mq_byte_order, const void *bytes, int size);
int64_t mq_decode_signed(enum mq_byte_order, const void *bytes, int size);

/* The address of the symbol NAME, or of the function, as find_name says,
 * and the type NAME. */
enum mq_result mq_target_find_symbol(struct mq_target *, const char *name,
                                     struct mq_error *, uint64_t *address);
enum mq_result mq_target_find_function(struct mq_target *, const char *name,
                                       struct mq_error *, uint64_t *address);
enum mq_result mq_target_find_type(struct mq_target *, const char *name,
                                   struct mq_error *,
                                   const struct mq_target_type **type);

/* The offset of the member NAME: mq_ok, mq_absent or mq_failed. */
enum mq_result mq_target_find_member(struct mq_target *,
                                     const struct mq_target_type *,
                                     const char *name, struct mq_error *,
                                     uint64_t *offset);
enum mq_result mq_target_type_size(struct mq_target *,
                                   const struct mq_target_type *,
                                   struct mq_error *, uint64_t *size);

/* Sets the rank (-1: not known) and how many there are (0: not known). */
void mq_target_set_place(struct mq_target *, int rank, int world_size);

/* Stops a process and reads where its threads are. */
enum mq_result mq_target_examine(struct mq_target *, struct mq_error *);

/* Destroys TARGET, which may be null. */
void mq_target_destroy(struct mq_target *target);

#endif
