/* mpich.h - communicators and tags of MPICH 4 and later */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUEUES_MPICH_H
#define QUEUES_MPICH_H

#include "queues/found.h"
#include "queues/matching.h"
#include "queues/mpich_rows.h"
#include "queues/reader.h"

/* Where the objects are that are looked at. */
struct mpich_objects {
    uint64_t builtin;           /* array of communicators */
    struct mpich_row communicators, requests;
    uint64_t lists, host;       /* of MPICH's own matching (ch4.h); 0: none */
};

/* Whether any variable may be MPI_COMM_WORLD, which MPI_Init makes. */
int mpich_has_world(const struct mpich_data *);

/* mqs_ok or an error; requests need not be found. */
int mpich_find(const struct mpich_data *, struct mpich_objects *);

/* Adds the communicators that the process has.  WORLD_RANK is -1 if it is not
 * known.
 */
int mpich_communicators(struct reader *, const struct mpich_objects *,
                        int world_rank, struct found *);

matching_is_pair mpich_is_pair;

/* What the tag and mask of a receive, or of a message with a mask of all ones,
 * say: mqs_ok, err_foreign if it is of no communicator of the process, or
 * err_bad_tag if it cannot be what they say.
 */
int mpich_decode(struct found *, const struct matching_entry *,
                 struct found_operation *operation);

/* Gives an operation, with its rank and tag, the communicator of CONTEXT:
 * mqs_ok, err_foreign if the process has none, or err_bad_tag.
 */
int mpich_settle(struct found *, uint64_t context,
                 struct found_operation *operation);

/* The handle of the request that OWNER of a receive is, or 0. */
uint64_t mpich_request(struct reader *, uint64_t owner);

/* The request that completes REQUEST, an address, which is persistent; or 0. */
uint64_t mpich_started_for(struct reader *, const struct mpich_row *,
                           uint64_t request);

/* The mark of the send that the request HANDLE is, or 0; see sends.h. */
uint64_t mpich_mark(struct reader *, const struct mpich_objects *,
                    uint64_t matching, uint64_t handle);

#endif
