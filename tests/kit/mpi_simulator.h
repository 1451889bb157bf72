/* mpi_simulator.h - simulator of small MPI programs, all schedules
 *
 * The truth for tests of the analysis: what each rank of a program can still
 * come to, found by trying everything.  Ranks that are inside an MPI function
 * take in messages at once, others when they next call MPI.  A rendezvous
 * message is handed over while its sender is inside MPI, which may take long;
 * and a call that is done may take long to return.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef TESTS_MPI_SIMULATOR_H
#define TESTS_MPI_SIMULATOR_H

#include <stdint.h>
#include <stdio.h>

#include "model/job.h"

enum {
    mpi_ranks_max = 4,
    mpi_calls_max = 4,
    mpi_messages_max = mpi_ranks_max * mpi_calls_max,
    mpi_any = -1
};

enum mpi_kind {
    mpi_send, mpi_recv, mpi_isend, mpi_irecv, mpi_wait, mpi_waitany,
    mpi_waitall, mpi_ssend, mpi_probe, mpi_test, mpi_kinds
};

struct mpi_call {
    enum mpi_kind kind;
    int peer;                   /* of a receive possibly mpi_any */
    int tag;                    /* the same */
    int communicator;           /* 0: MPI_COMM_WORLD, 1: a duplicate */
    bool rendezvous;            /* a send that waits for its receive */
    int request;                /* of mpi_wait: the call that began it */
};

struct mpi_program {
    int ranks;
    int counts[mpi_ranks_max];
    struct mpi_call calls[mpi_ranks_max][mpi_calls_max];
};

/* Where each rank is; all zero at the start. */
struct mpi_state {
    uint8_t next[mpi_ranks_max];        /* call, or that it is inside */
    uint8_t inside[mpi_ranks_max];
    uint8_t status[mpi_ranks_max][mpi_calls_max];
    uint8_t match[mpi_ranks_max][mpi_calls_max];    /* 1 + message */
    uint8_t unexpected[mpi_ranks_max][mpi_messages_max];
    uint8_t under_way[mpi_ranks_max][mpi_messages_max];
};

/* Numbers that follow from the seed. */
struct mpi_random {
    uint64_t state;
};

unsigned mpi_below(struct mpi_random *, unsigned limit);

/* What programs are made of. */
enum mpi_flavour {
    mpi_flavour_any,
    mpi_flavour_blocking,       /* sends and receives that block */
    mpi_flavour_rendezvous,     /* of these, sends that wait for the receive */
    mpi_flavours
};

void mpi_program_make(struct mpi_program *, struct mpi_random *,
                      enum mpi_flavour);
void mpi_program_write(const struct mpi_program *, FILE *);

/* Every state that the program can come to, at most LIMIT of them, to be freed
 * by the caller.
 */
struct mpi_state *mpi_states(const struct mpi_program *, size_t limit,
                             size_t *count);

/* Whether no rank can begin another call. */
bool mpi_is_final(const struct mpi_program *, const struct mpi_state *);

/* The ranks that are inside an MPI function, and those of them that leave it in
 * some continuation, as bits.
 */
unsigned mpi_waiting(const struct mpi_program *, const struct mpi_state *);
unsigned mpi_leaving(const struct mpi_program *, const struct mpi_state *);

/* Whether the call that RANK is inside is done, and only has to return. */
bool mpi_is_returning(const struct mpi_program *, const struct mpi_state *,
                      int rank);

/* The job as a debugger sees it. */
struct mpi_view {
    unsigned ranks;             /* that are given, as bits */
    unsigned calls;             /* ranks whose MPI function is known */
    unsigned arguments;         /* ranks whose call's arguments are known */
    unsigned counted;           /* ranks whose call is counted not to have
                                   returned; those that only have to return
                                   are not */
    bool sends;                 /* the library lists them */
    double looked_for;          /* seconds: 0, or where nothing moves */
};

void mpi_show(const struct mpi_program *, const struct mpi_state *,
              const struct mpi_view *, struct mq_job *);

#endif
