/* live_settings.h - settings for running processes */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_LIVE_SETTINGS_H
#define MQ_LIVE_SETTINGS_H

#include <stdbool.h>

struct mq_gathering;

/* About the nodes of a job. */
struct mq_cluster_settings {
    const char *slurm;          /* a job of Slurm's, or null */
    const char *hosts;          /* to ask, as in hosts.h, or null */
    const char *launcher;       /* its name, or null */
    const char *there;          /* where mqdump is on them; null: as here */
    const char *world;          /* of several jobs, this one; null: there is one
                                   only */
    const char *node;           /* of an agent: what the mqdump that has started
                                   it calls this host, "-" for its own name;
                                   null: a user has started this one */
    const char *starter_dll;    /* what the job's starter names, as that one has
                                   found, or null */
    const char *starter_lists;  /* ",HOST=PID..." if it is only theirs whose
                                   starter that is */
    int within;                 /* seconds until all have answered; 0: the usual
                                   time */
    int rounds;                 /* of samples that an agent takes; 0: until it
                                   is ended */
    double period;              /* seconds between the rounds of agents that
                                   stay; 0: the usual time */
    struct mq_gathering **kept; /* agents that stay for many readings, null
                                   until they are started; or null: they do
                                   not */
};

/* The times of the looks at processes, by which looks of many hosts have a
 * moment in common.
 */
struct mq_moment {
    void (*first_ended)(void *context);     /* to be called when the first look
                                   at any of them has ended, */
    void (*waits)(void *context);           /* and again and again while they
                                   are looked at */
    void *context;
    double last_began;          /* as of mq_now: for those whose last look began
                                   first; infinite: none was looked at */
};

struct mq_live_settings {
    const char *types;          /* object file that describes types, or null */
    const char *ranks;          /* "N,N..." for the processes in their order,
                                   or null */
    const char *record;         /* folder for the recordings, or null */
    const char *keep;           /* folder in which ranks of a job that is
                                   started keep records, or null */
    const char *until;          /* function that a job's starter shall reach
                                   first, or null */
    int parallel;               /* processes at a time; 0: as many as there are
                                   processors */
    bool progress;              /* report it also where stderr is no terminal */
    bool quiet;                 /* report no progress at all */
    int looks;                  /* at each process; 0: the usual number */
    double settle;              /* seconds that it runs between two; 0: the
                                   usual time */
    bool open_gate;             /* release ranks that wait at their gate */
    const char *writes_file;    /* the option by which root's mqdump writes a
                                   file, or null */
    bool no_write;              /* change nothing in any process */
    struct mq_cluster_settings cluster;
    struct mq_moment *moment;   /* to be noted, or null */
    int after;                  /* seconds until a job that was started is
                                   looked at; 0: when the user interrupts, or
                                   soon if it was awaited */
    bool owns_output;           /* a job that is started writes its standard
                                   output to standard error */
    const char *mark;           /* an entry of the environment of all that
                                   the command started which mqdump has run, or
                                   null */
    char *const *command;       /* that launches a job; null after the last */
};

#endif
