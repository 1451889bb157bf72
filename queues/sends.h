/* sends.h - send requests of UCX
 *
 * UCX lists no sends.  But a message whose sender is kept waiting until it is
 * received says, where it has arrived, at which address its sender has UCX's
 * request of it: its mark.  And behind each such request is the MPI library's
 * own part, which leads to the MPI_Request, or is it.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef QUEUES_SENDS_H
#define QUEUES_SENDS_H

#include "queues/reader.h"

/* The mark of the request that has the LENGTH bytes of OBJECT, one of the MPI
 * library's own, for its part, or whose part leads back to that; 0 if there is
 * none, or several are.  MATCHING is the address of the worker's tag matching.
 */
uint64_t sends_mark(struct reader *, uint64_t matching, uint64_t object,
                    size_t length);

#endif
