/* recorder.h - running processes, core files and stubs become recordings
 *
 * What runs is stopped, recorded (target/record.h) and let go, and then shown
 * from the recording (playback.h), so that it stands still for as short as can
 * be and a recording that is kept shows the same.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RECORDER_H
#define MQ_RECORDER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "direct/direct.h"
#include "mqdump/looks.h"
#include "mqdump/mark.h"
#include "mqdump/reading.h"
#include "target/gdb.h"

/* What became of a recording.  Holds no pointers: it can be in memory that is
 * shared with a child.
 */
struct mq_outcome {
    bool is_complete;           /* the rest was said to the end */
    enum mq_result result;
    struct mq_error error;
    bool has_ended;             /* the process has: that is what failed */
    bool needs_gdb;             /* only a gdb can tell all that is there */
    bool is_at_gate;            /* it waits in MPI_Init for a debugger, as the
                                   error says, and has no queues yet */
    int rank;                   /* -1: not known */
    struct mq_looks looks;
    struct mq_spot spot;
    int world_size;             /* as in struct mq_target */
    uint64_t requests;          /* to gdb */
    double seconds;             /* from the first request to the last */
    double stood_still;         /* seconds that it was stopped in all */
    bool was_glanced_at;        /* at the last look, which did not stop it */
    char dll[4096];             /* the file of the DLL that shows it */
    struct mq_error refused;    /* why there is none; empty: there is one */
    char handle_dll[mq_handle_dll_room];        /* of the one that told of its
                                                   handles; empty: none did */
};

struct mq_recording {
    const char *name;           /* of the process, in messages */
    int number;                 /* a pid, or the place in the source */
    struct mq_owner owner;      /* of the subject */
    uint32_t world;             /* of the subject */
    FILE *file;                 /* the text */
    struct mq_outcome *outcome;
};

/* Stops one subject and shows it as a target, as the options say.  *STOPPER
 * becoming nonzero ends all waiting; it may be null.
 */
enum mq_result mq_recorder_open(const struct mq_gdb_subject *,
                                const struct mq_read_options *,
                                const volatile sig_atomic_t *stopper,
                                struct mq_error *, struct mq_target **target);

/* Records TARGET, which stays the caller's and is looked at once, to the
 * recording's file; the outcome tells how that went.
 */
void mq_recorder_record(struct mq_target *target,
                        const struct mq_read_options *,
                        struct mq_recording *);

/* What the recorders of a child read with.  All zero: nothing yet. */
struct mq_tools {
    const struct mq_read_options *how;
    struct mq_direct *direct;   /* null: a gdb is to read all */
    struct mq_gdb_link *gdb;    /* null: nothing needed one yet */
};

/* For COUNT recorders.  Debug information of strangers is parsed from here on:
 * what that may take is limited until a gdb is started.
 */
void mq_tools_init(struct mq_tools *, const struct mq_read_options *,
                   size_t count);
void mq_tools_deinit(struct mq_tools *);

/* Opens a subject without a gdb, by OPTIONS; mq_absent if only a gdb can tell all
 * that is there.
 */
enum mq_result mq_tools_open(struct mq_tools *, const struct mq_gdb_subject *,
                             const struct mq_read_options *options,
                             struct mq_error *, struct mq_target **target);

/* Requests to gdb so far. */
uint64_t mq_tools_requests(const struct mq_tools *);

/* A subject that is recorded in steps, which many can take together: opened
 * without a gdb or, if that cannot tell all, prepared with one, then any number
 * of times halted, stopped, read and let go, and settled.  The
 * recording is that of the last look.  One whose call is known not to have
 * returned since the look before is neither stopped nor read again.
 */
struct mq_recorder {
    struct mq_tools *tools;     /* serve others, too, and outlive it */
    const struct mq_gdb_subject *subject;
    const struct mq_read_options *how;
    struct mq_marker *marker;   /* may serve others, too, and outlives it */
    struct mq_debug_mark mark;  /* that is to be set back */
    struct mq_recording *recording;
    struct mq_target *target;   /* null: not prepared */
    struct mq_target *record;   /* of the last look that stopped it, or null */
    struct mq_look_series looks;
    double begin, stopped;      /* when */
};

/* Each does one step; the outcome tells why it failed.  What is settled runs
 * from the first of the two on.
 */
enum mq_result mq_recorder_open_directly(struct mq_recorder *);
enum mq_result mq_recorder_prepare(struct mq_recorder *);
enum mq_result mq_recorder_halt(struct mq_recorder *);
enum mq_result mq_recorder_stop(struct mq_recorder *);
enum mq_result mq_recorder_read(struct mq_recorder *);
enum mq_result mq_recorder_let_go(struct mq_recorder *);
enum mq_result mq_recorder_settle_begin(struct mq_recorder *);
enum mq_result mq_recorder_settle_end(struct mq_recorder *);

/* Lets go of the subject, and has the last word on what went wrong. */
void mq_recorder_deinit(struct mq_recorder *);

#endif
