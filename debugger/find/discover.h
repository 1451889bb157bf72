/* discover.h - search for a job's ranks among the processes of this host
 *
 * For launchers that list no processes (mpir.h): the job is what descends from
 * the process that was named, or that it was started together with.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_DISCOVER_H
#define MQ_DISCOVER_H

#include "find/proctable.h"

/* Fills TABLE, which is empty, with the ranks of the job that process PID of
 * PROC, "/proc" but in tests, is a rank, a wrapper or a starter of; mq_absent
 * if there are none.  MARK is null or an entry "NAME=VALUE" of the environment
 * of all that PID has started: where a launcher has a daemon start processes,
 * as in a job of Slurm's, they are below that.  Entries of one world have none;
 * those of several, since some were spawned or PID has started several jobs,
 * have the names of theirs.  The caller gives TABLE back.
 */
enum mq_result mq_discover_job(const char *proc, int pid, const char *mark,
                               struct mq_error *, struct mq_proctable *table);

/* Completes TABLE, which holds what the starter PID lists.  Of a process on
 * this host that is a shell or a container around a rank, the entry becomes
 * that rank's.  Ranks below PID on this host that were spawned later and that
 * it does not list are added: the entries have the names of their worlds then.
 */
enum mq_result mq_discover_rest(const char *proc, int pid, struct mq_error *,
                                struct mq_proctable *table);

/* The ranks that have ended of the one world whose others TABLE has, which were
 * found after all of it had been started: *RANKS is a block of malloc.
 * mq_absent, and nothing changed, if there are none, or if one may be on
 * another host, or be a process that is not recognised.
 */
enum mq_result mq_discover_ended(const char *proc,
                                 const struct mq_proctable *table,
                                 struct mq_error *, int **ranks,
                                 size_t *count);

/* Fills TABLE, which is empty, with the COUNT processes of PIDS if each has the
 * name of its world, and these are several; else mq_absent.
 */
enum mq_result mq_discover_worlds(const char *proc, const int *pids,
                                  size_t count, struct mq_error *,
                                  struct mq_proctable *table);

/* A process that a rank has started and that has outlived it. */
struct mq_left_behind {
    int pid;
    char program[256];          /* without its folder */
};

/* Finds one that writes to a pipe which PID, a starter, or what is below it
 * reads, so that the starter does not end; mq_absent if there is none.
 */
enum mq_result mq_discover_left_behind(const char *proc, int pid,
                                       struct mq_error *,
                                       struct mq_left_behind *left);

/* Which ranks are meant, of whichever starter.  ENTRIES are "NAME=VALUE" of
 * their environments; what is null does not matter.
 */
struct mq_rank_wish {
    const char *job;            /* an entry */
    const char *node, *step;    /* more */
    const char *world;          /* the name of their job */
    unsigned user;              /* its user, where JOB does not have it */
};

/* Fills TABLE with all ranks that are meant, in the order of their worlds. */
enum mq_result mq_discover_ranks(const char *proc, const struct mq_rank_wish *,
                                 struct mq_error *,
                                 struct mq_proctable *table);

/* A job that was found: the process that its ranks descend from, and how many
 * of them are on this host.
 */
struct mq_discovered_job {
    int starter;
    int rank_count;
    int size;                   /* ranks on all hosts; 0: not known */
    char program[256];          /* of its first rank, without its folder */
};

/* The jobs of USER, in the order of their starters; *JOBS is a block of malloc,
 * null if there are none.
 */
enum mq_result mq_discover_jobs(const char *proc, unsigned user,
                                struct mq_error *,
                                struct mq_discovered_job **jobs,
                                size_t *count);

#endif
