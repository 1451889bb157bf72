/* source_live.h - sources that are processes, core files and stubs behind gdb
 *
 * What runs is first recorded (record.h) and let go, and then shown from the
 * recording, so that it stands still for as short as can be and a recording
 * that is kept shows the same.  Processes of this host are recorded in parallel
 * by children of mqdump, each with a gdb of its own; an interruption ends them
 * in order.
 */
#ifndef MQ_SOURCE_LIVE_H
#define MQ_SOURCE_LIVE_H

#include "target/gdb.h"
#include "mqdump/reading.h"

struct mq_live_settings {
    const char *gdb;            /* the gdb to start, or null for "gdb" */
    int gdb_limit;              /* seconds that it may work on one request;
                                   0: the kit's limit */
    const char *types;          /* object file that describes types, or null */
    const char *ranks;          /* "N,N..." for the processes in their order,
                                   or null */
    const char *record;         /* folder for the recordings, or null */
    const char *until;          /* function that a remote process shall reach
                                   first, or null */
    int jobs;                   /* at a time; 0: as many as processors */
    bool all_inferiors;         /* of a user's gdb, not the current one only */
    int after;                  /* seconds until a launched job is looked at;
                                   0: when the user interrupts */
    char *const *command;       /* that launches a job; null after the last */
};

/* The sources: "PID,PID...", EXE and CORE, HOST:PORT and EXE, and the number of
 * a descriptor that a user's gdb answers on.
 */
enum mq_result mq_read_processes(char *const *values, struct mq_reader *,
                                 struct mq_error *);
enum mq_result mq_read_core(char *const *values, struct mq_reader *,
                            struct mq_error *);
enum mq_result mq_read_remote(char *const *values, struct mq_reader *,
                              struct mq_error *);
enum mq_result mq_read_inferiors(char *const *values, struct mq_reader *,
                                 struct mq_error *);

/* Shows SUBJECTS, COUNT of them, by rank; what fails is told to the user. */
enum mq_result mq_live_read(const struct mq_gdb_subject *subjects, size_t count,
                            struct mq_reader *, struct mq_error *);

/* Stops one subject and shows it as a target, as the settings say.  *STOPPER
 * becoming nonzero ends all waiting; it may be null.
 */
enum mq_result mq_live_open(const struct mq_gdb_subject *,
                            const struct mq_reader *,
                            const volatile sig_atomic_t *stopper,
                            struct mq_error *, struct mq_target **target);

/* Records and shows a target that is open, and stays so. */
enum mq_result mq_live_show(struct mq_target *, struct mq_reader *,
                            struct mq_error *);

#endif
