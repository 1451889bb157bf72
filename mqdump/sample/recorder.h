/* recorder.h - recording of running processes and core files
 *
 * What is asked of them is written down (target/record.h), so that a recording
 * that is kept shows the same.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RECORDER_H
#define MQ_RECORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "direct/direct.h"
#include "mqdump/sample/looks.h"
#include "mqdump/sample/mark.h"
#include "mqdump/sample/reading.h"

/* The outcome of a recording.  Holds no pointers: it can be in memory that is
 * shared with a child.
 */
struct mq_outcome {
    bool is_complete;           /* the rest was said to the end */
    enum mq_result result;
    struct mq_error error;
    bool has_ended;             /* the process has: that is what failed */
    char gap[300];              /* what is not known of it; empty: nothing */
    bool is_at_gate;            /* it waits in MPI_Init for a debugger, as the
                                   error says, and has no queues yet */
    int rank;                   /* -1: not known */
    struct mq_looks looks;
    struct mq_spot spot;
    uint64_t counter_at, counter;       /* as in struct mq_process */
    struct mq_costs costs;
    double stopped_seconds;     /* seconds that it was stopped in all, */
    double last_stop_seconds;   /* and for the latest look */
    bool was_not_stopped;       /* at the last look, which did not stop it */
    bool is_stopped;            /* it was stopped and not resumed yet */
    bool is_torn;               /* at the last look, which does not count */
    char dll[4096];             /* the file of the DLL that shows it */
    struct mq_error refused;    /* why there is none; empty: there is one */
    char handle_dll[mq_handle_dll_room];        /* of the one that explained its
                                                   handles; empty: none did */
};

struct mq_recording {
    const char *name;           /* of the process, in messages */
    int number;                 /* a pid, or the place in the source */
    struct mq_pin pin;          /* of the subject */
    uint32_t world;             /* of the subject */
    FILE *file;                 /* what was found, as a digest behind what is
                                   in none */
    FILE *record;               /* the snapshot; null: none is kept */
    struct mq_outcome *outcome;
};

/* Opens the files of a recording. */
enum mq_result mq_recording_open(struct mq_recording *,
                                 const struct mq_read_options *,
                                 struct mq_error *);
void mq_recording_close(struct mq_recording *);

/* Records TARGET, which stays the caller's and is looked at once, to the
 * recording's file; the outcome has the result.
 */
void mq_recorder_record(struct mq_target *target,
                        const struct mq_read_options *,
                        struct mq_recording *);

/* Tools that the recorders of a child share.  All zero: nothing yet. */
struct mq_tools {
    struct mq_direct *direct;
};

/* For COUNT recorders.  Untrusted debug information is parsed from here on:
 * what that may take is limited.
 */
void mq_tools_init(struct mq_tools *, size_t count);
void mq_tools_deinit(struct mq_tools *);

/* Opens a subject by OPTIONS. */
enum mq_result mq_tools_open(struct mq_tools *, const struct mq_subject *,
                             const struct mq_read_options *options,
                             struct mq_error *, struct mq_target **target);

/* The same of the process that HELD is. */
enum mq_result mq_tools_open_held(struct mq_tools *,
                                  const struct mq_subject *,
                                  const struct mq_held_process *held,
                                  const struct mq_read_options *options,
                                  struct mq_error *,
                                  struct mq_target **target);

/* The result of a look; all null: nothing yet. */
struct mq_found {
    struct mq_target *record;   /* of what was read */
    struct mq_job *job;         /* of the one process */
};

/* A subject recorded in steps, which many take together: open; then any number
 * of times ask, halt, stop, free, read, take and resume; finally settle.  A
 * process is freed before it is read if its copy suffices; after repeated torn
 * copies it is held instead, and read before the others.  A process that does
 * not stop soon delays no other: it is awaited when the others run again.  A
 * reading that is taken counts as a look, and the last one is the recording.  A
 * process whose call has not returned since the last look is neither stopped
 * nor read again; an unchanged one is not read.
 */
struct mq_recorder {
    struct mq_tools *tools;     /* serve others, too, and outlive it */
    const struct mq_subject *subject;
    const struct mq_read_options *how;
    struct mq_marker *marker;   /* may serve others, too, and outlives it */
    struct mq_debug_mark mark;  /* that is to be set back */
    struct mq_recording *recording;
    struct mq_target *target;   /* null: not open */
    struct mq_found found;      /* at the last look that stopped it */
    bool is_taken;              /* that counts as a look */
    struct mq_look_series looks;
    int torn;                   /* times that what was read was, since a look
                                   was taken */
    bool is_read;               /* since it was asked */
    bool is_late;               /* it does not stop as soon as the others */
    double stopped;             /* when */
};

/* Notes which rank the subject is, whether or not it can be read. */
void mq_recorder_identify(struct mq_recorder *);

/* Each does one step, by which the outcome has its result.  During settling the
 * process runs, from the first of the two on.
 */
void mq_recorder_open(struct mq_recorder *);
void mq_recorder_ask(struct mq_recorder *);
void mq_recorder_halt(struct mq_recorder *);
void mq_recorder_stop(struct mq_recorder *);
void mq_recorder_free(struct mq_recorder *);
void mq_recorder_stop_late(struct mq_recorder *);
void mq_recorder_read_held(struct mq_recorder *);
void mq_recorder_read(struct mq_recorder *);
void mq_recorder_take(struct mq_recorder *);
void mq_recorder_resume(struct mq_recorder *);
void mq_recorder_settle_begin(struct mq_recorder *);
void mq_recorder_settle_end(struct mq_recorder *);

/* Resumes the subject, and completes the outcome. */
void mq_recorder_deinit(struct mq_recorder *);

#endif
