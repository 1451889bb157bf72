/* proctable.h - the processes of a job, as the job itself lists them */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_PROCTABLE_H
#define MQ_PROCTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tell.h"
#include "target/owner.h"

/* Where a process runs.  The strings are blocks of malloc. */
struct mq_location {
    char *host;                 /* null: not known */
    char *executable;           /* a path there; null: not known */
    int64_t pid;                /* there; not positive: not known */
    bool is_local;              /* the host is this machine */
};

/* One rank process.  The strings are blocks of malloc. */
struct mq_procdesc {
    struct mq_location place;
    int64_t rank;               /* in its MPI_COMM_WORLD */
    char *world;                /* which MPI_COMM_WORLD; null where a job has
                                   but one */
    char *parent_world;         /* of the process that spawned that world; null
                                   if a starter made it */
    int64_t parent_rank;
    int64_t sequence;           /* among that process's spawns, from 0 */
};

struct mq_proctable {
    struct mq_owner namer;      /* the process that lists them: those of other
                                   users are none of its; nothing pinned: the
                                   user of this program */
    size_t count;
    size_t room;
    struct mq_procdesc *entries;
};

/* Sets is_local, from NEIGHBOUR if that is not null and has the same host. */
void mq_location_set_local(struct mq_location *place,
                           const struct mq_location *neighbour);

/* Orders places by process; 0 if both are the same process. */
int mq_location_compare(const struct mq_location *one,
                        const struct mq_location *other);

/* Moves ENTRY with its strings to the end of TABLE.  On failure the strings
 * stay the caller's.
 */
enum mq_result mq_proctable_add(struct mq_proctable *table,
                                const struct mq_procdesc *entry,
                                struct mq_error *);

/* Removes entries that name a process once more, telling where they contradict
 * each other, and sorts the rest: worlds of a starter first, then by rank.
 */
void mq_proctable_settle(struct mq_proctable *table, struct mq_teller *);

/* Frees all entries; the table is empty then. */
void mq_proctable_deinit(struct mq_proctable *table);

/* Frees the strings of one. */
void mq_procdesc_deinit(struct mq_procdesc *entry);
void mq_location_deinit(struct mq_location *place);

#endif
