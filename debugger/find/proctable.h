/* proctable.h - table of a job's processes, as the job lists them */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MQ_PROCTABLE_H
#define MQ_PROCTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/interned.h"
#include "base/log.h"
#include "process/pin.h"
#include "target/target.h"

/* Where a process runs.  The strings are its table's. */
struct mq_location {
    const char *host;           /* null: not known */
    const char *executable;     /* a path there; null: not known */
    int64_t pid;                /* there; not positive: not known */
    bool is_local;              /* the host is this machine */
};

/* One rank process.  The strings are its table's. */
struct mq_procdesc {
    struct mq_location place;
    int64_t rank;               /* in its MPI_COMM_WORLD */
    const char *world;          /* which MPI_COMM_WORLD; null where a job has
                                   but one */
    const char *parent_world;   /* of the process that spawned that world; null
                                   if a starter made it */
    int64_t parent_rank;
    int64_t sequence;           /* among that process's spawns, from 0 */
};

enum {
    mq_proctable_most = 1 << 22,            /* entries */
    mq_proctable_most_names = 16 << 20,     /* bytes of all different names */
    mq_proctable_most_read = 128 << 20      /* bytes of names, with all that
                                               come again */
};

struct mq_proctable {
    struct mq_pin namer;        /* the process that lists them: those of other
                                   users are none of its; nothing pinned: the
                                   user of this program */
    size_t count;
    size_t room;
    struct mq_procdesc *entries;
    struct mq_interned names;   /* their strings, each once */
    size_t read;                /* bytes of names, from targets */
};

/* Sets is_local, from NEIGHBOUR if that is not null and has the same host. */
void mq_location_set_local(struct mq_location *place,
                           const struct mq_location *neighbour);

/* Orders places by process; 0 if both are the same process. */
int mq_location_compare(const struct mq_location *one,
                        const struct mq_location *other);

/* The table's own copy of TEXT; null stays null.  Refused where a job's names
 * cannot be as many.
 */
enum mq_result mq_proctable_name(struct mq_proctable *table, const char *text,
                                 struct mq_error *, const char **name);

/* The same of what mq_name_read reads.  Once TABLE has been refused one, it is
 * refused all.
 */
enum mq_result mq_proctable_read_name(struct mq_proctable *table,
                                      struct mq_target *, uint64_t address,
                                      size_t limit, struct mq_error *,
                                      const char **name);

/* Adds ENTRY, whose strings are TABLE's own, to its end. */
enum mq_result mq_proctable_add(struct mq_proctable *table,
                                const struct mq_procdesc *entry,
                                struct mq_error *);

/* Removes entries that name a process once more, logs where they contradict
 * each other, and sorts the rest: worlds of a starter first, then by rank.
 */
void mq_proctable_sort(struct mq_proctable *table, struct mq_logger *);

/* Frees all entries; the table is empty then. */
void mq_proctable_deinit(struct mq_proctable *table);

#endif
