/* fabric.h - receives and messages of a libfabric endpoint */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef QUEUES_FABRIC_H
#define QUEUES_FABRIC_H

#include "queues/reader.h"

/* Where an endpoint has them. */
struct fabric {
    uint64_t endpoint;
    uint64_t at;             /* 0: not found */
    int is_shared;           /* it is not a queue of the endpoint's own */
};

/* One posted receive or arrived message. */
struct fabric_entry {
    uint64_t tag, ignored;   /* bits of the tag that may be any */
    uint64_t source;            /* address of an endpoint; all ones: any */
    uint64_t length;
    uint64_t owner;          /* of a receive: what the MPI gave with it */
    uint64_t data;           /* of a message: what came beside the tag */
    int is_pending;             /* of a message: its data are at the sender */
};

/* Takes an entry; mqs_ok to go on, or an error. */
typedef int fabric_take(void *context, const struct fabric_entry *);

/* Finds the tag matching of the endpoint at ADDRESS: mqs_ok, err_no_fabric, or
 * another error.
 */
int fabric_find(struct reader *, uint64_t address, struct fabric *);

/* Gives each posted receive, and each message that has arrived; those of one
 * source in order.
 */
int fabric_receives(struct reader *, const struct fabric *, fabric_take *,
                    void *context);
int fabric_arrived(struct reader *, const struct fabric *, fabric_take *,
                   void *context);

#endif
