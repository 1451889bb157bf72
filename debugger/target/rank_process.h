/* rank_process.h - detection of MPI ranks by their environment
 *
 * The starter of a rank sets its place in its environment.  Shells and other
 * wrappers around a rank inherit that: a rank also has an MPI library.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_RANK_PROCESS_H
#define MQ_RANK_PROCESS_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"
#include "target/target.h"

/* The place of a rank, as its environment has it. */
struct mq_rank_place {
    int rank;
    int size;                   /* ranks in its job; 0: not set */
    int here;                   /* of these on its host; 0: not set */
    char world[128];            /* the name of its job; empty: not set */
};

/* Reads the place of process PID of PROC, "/proc" but in tests, in its
 * environment; mq_absent if it has none.  Of the launchers that may be in one
 * another the one that started the process itself counts.
 */
enum mq_result mq_rank_place_read(const char *proc, int pid, struct mq_error *,
                                  struct mq_rank_place *place);

/* The same by the variable environ of TARGET, which need be no process of this
 * host; mq_absent, too, where it cannot be read.
 */
enum mq_result mq_rank_place_find(struct mq_target *target,
                                  struct mq_rank_place *place);

/* Whether ENTRY, "NAME=VALUE", is in the environment of process PID. */
bool mq_process_has_entry(const char *proc, int pid, const char *entry);

/* Hands the lines of maps of process PID, without their ends, to TAKE until one
 * is taken, and returns whether one was.  Lines are cut at 4095 bytes, and
 * there is none if the file cannot be read.
 */
bool mq_process_find_mapping(const char *proc, int pid,
                             bool (*take)(const char *line, void *context),
                             void *context);

/* Whether process PID is in a pid namespace of its own, as in a container: the
 * numbers that it knows processes by are other ones here.
 */
bool mq_process_counts_anew(const char *proc, int pid);

/* Whether process PID has an MPI library, or one is a part of it. */
bool mq_process_has_mpi(const char *proc, int pid);

#endif
