/* settings.h - mqdump's command line */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_SETTINGS_H
#define MQ_SETTINGS_H

#include <stdbool.h>

#include "base/options.h"
#include "mqdump/sample/live_settings.h"
#include "mqdump/source/sources.h"
#include "read/complete.h"
#include "report/format.h"
#include "report/report.h"

/* In the order of the names in settings.c. */
enum mq_colour {
    mq_colour_auto,             /* on a terminal, unless NO_COLOR is set */
    mq_colour_always,
    mq_colour_never
};

/* A job is looked at again and again. */
struct mq_watch_settings {
    bool is_wanted;
    double seconds;             /* between two looks; 0: the usual time */
    bool until_stuck;           /* ends with the verdict */
    double no_progress;         /* seconds after which a job in which no rank
                                   leaves MPI counts as hung, whatever ranks
                                   outside MPI do; 0: not said */
    double stuck_after;         /* seconds without progress after which it
                                   counts so; 0: as soon as it is seen */
    bool is_usual;              /* the user gave no such period */
    const char *command;        /* for the shell, when it is hung; or null */
    const char *report;         /* file for the report then; or null */
};

struct mq_settings {
    bool doctor;                /* examines instead of showing */
    bool run;                   /* a command that is watched until it ends, or
                                   is ended: */
    int proxy;                  /* link to its proxy (command_proxy.h) */
    const char *dll;            /* null: choose one */
    struct mq_handle_wishes handles;
    bool raw;
    bool still;                 /* the user vouches that nothing moved */
    bool stats;
    bool verbose;
    bool says_rank, says_jobs;  /* options were called by their former names */
    bool help;
    bool help_all;
    bool version;
    enum mq_colour colour;
    enum mq_format format;
    struct mq_report_options report;
    struct mq_watch_settings watch;
    const char *digest;         /* file to write instead; null: none */
    struct mq_sources before, after;    /* to be compared */
    struct mq_sources sources;
    struct mq_live_settings live;
};

/* The table that is read into a struct mq_settings. */
extern const struct mq_option mq_settings_table[];
extern const size_t mq_settings_count;

/* For the end of the help. */
extern const char mq_settings_examples[];

#endif
