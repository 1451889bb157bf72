/* mpi_job.h - internal header of the test job */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MPI_JOB_H
#define MPI_JOB_H

#include <stddef.h>

enum {
    max_ranks = 300,
    starter_mailbox = max_ranks,    /* of a starter that is not a rank */
    gate_mailbox
};

struct job_options {
    int ranks;
    int operations;             /* of the scenario's bulk */
    int seconds;                /* until the job ends itself */
    int wait;                   /* at the gate, although nobody debugs */
    int keep_sends;             /* remember sends without a debugger */
    int helper_thread;          /* one more, in a function named MPI_... */
    const char *hold;           /* no rank starts while this file exists */
    const char *late;           /* the last rank waits until it is gone */
    const char *execute;        /* a program, once a debugger is known */
    const char *counters;       /* file that takes one int for each rank */
    const char *program;        /* what a separate starter starts */
    int event;                  /* of the MPI-2 draft, told after the start */
    int speaks;                 /* who aborts tells a debugger itself */
    const char *directory;      /* another host that has one */
    const char *spawned;        /* processes of a world that rank 0 spawned */
    int remote;                 /* ranks of the world on the other side */
    const char *scenario;
};

extern struct job_options job_options;

/* Reads the command line, or ends the program with a line that explains it. */
void job_read_options(int argc, char **argv);

/* ---- start.c: how the ranks come to be --------------------------------- */

/* Makes the mailboxes and starts the ranks from FIRST on, by exec of COMMAND
 * or, if it is null, by fork: then it returns in each of them.  Returns the
 * rank, or -1 in a separate starter.
 */
int start_ranks(int first, char *const *command);

/* Tells a debugger of the job, and waits where it shall be waited. */
void start_publish(int i_am_a_rank);

/* Waits for a debugger's permission, in a rank that did not publish. */
void start_wait_for_gate(void);

/* The first process's part of MPI_Abort. */
void start_abort(const char *why, int code);

/* In a rank that speaks: it tells a debugger of --event and of the abort. */
void start_tell_abort(const char *why);

/* Whether any rank that this process started runs, and waiting for them. */
int start_ranks_run(void);
void start_wait_for_ranks(void);

/* ---- mail.c: packets between processes --------------------------------- */

enum mail_kind {
    mail_eager,                 /* a message */
    mail_request,               /* the announcement of one */
    mail_ready,                 /* the answer: send it */
    mail_data,                  /* a part of it */
    mail_go,                    /* the gate is open */
    mail_abort
};

struct mail {
    int kind;
    int source;                 /* rank in MPI_COMM_WORLD */
    int context, lsrc, tag;
    int length;                 /* of the whole message */
    int offset, part;           /* of the bytes that follow this header */
    int sync;
    unsigned long long send, receive;   /* handles of either side */
};

enum {
    mail_most = 3072            /* bytes of a part; a packet is atomic */
};

void mail_make(int mailbox);
void mail_open(int rank);
void mail_send(int mailbox, const struct mail *, const void *part);

/* Takes one packet, of which PART holds mail_most bytes.  Waits for one, if
 * there is none, for that many milliseconds.  Returns whether there was one.
 */
int mail_take(int milliseconds, struct mail *, char *part);

/* ---- programs.c -------------------------------------------------------- */

/* Runs the program of that name, if there is one. */
void run_program(const char *name);

/* ---- queues.c ---------------------------------------------------------- */

/* Handles what has come in, waiting for it for a moment; then ticks. */
void progress(int milliseconds);

/* The queues are as the scenario wants them: from now on the rank's counter
 * moves as long as the rank runs.
 */
void progress_ready(void);

#endif
