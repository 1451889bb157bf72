/* ch4.h - receives and messages that MPICH 4 and later match themselves
 *
 * Messages between ranks of a host go through shared memory, whatever network
 * there is, and MPICH has lists of its own of them.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef QUEUES_CH4_H
#define QUEUES_CH4_H

#include "queues/found.h"
#include "queues/mpich.h"
#include "queues/reader.h"

/* Whether the heads of the lists are at ADDRESS for certain. */
int ch4_are_lists(struct reader *, uint64_t address);

/* Finds the heads for OBJECTS, 0 if there are none, as an unknown version may
 * have: mqs_ok or an error.
 */
int ch4_find_lists(struct reader *, const struct mpich_data *,
                   struct mpich_objects *objects);

/* Whether this version is known: each receive from any source is on the list,
 * and may stay behind in the network once it has a message.
 */
int ch4_is_known(const struct mpich_objects *);

/* Finds where the process has its rank, and which ranks are of its host, by its
 * communicators, of which the first is MPI_COMM_WORLD.
 */
int ch4_find_host(struct reader *, const struct mpich_data *,
                  const struct found *, uint64_t *host);

/* Marks the communicators with members on other hosts, whose messages go
 * through the network.
 */
int ch4_leave_out(struct reader *, uint64_t host, struct found *);

/* Adds what is in QUEUE, the receives or the messages that have arrived: mqs_ok
 * or an error, which is err_foreign if all but messages of no communicator of
 * the process were added.
 */
int ch4_take(struct reader *, const struct mpich_objects *, int queue,
             struct found *);

/* The mark of the send that the request HANDLE is, or 0; see extensions.h. */
uint64_t ch4_mark(struct reader *, const struct mpich_objects *,
                  uint64_t handle);

#endif
