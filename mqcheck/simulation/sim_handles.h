/* sim_handles.h - objects behind the handles of the simulation
 *
 * Datatypes, topologies, attributes, requests and MPICH's table of handles.  A
 * process has none of them until sim_add_handles.  An object is known by its
 * address; a handle of 0 is none, and then nothing leads to the object.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef SIMULATION_SIM_HANDLES_H
#define SIMULATION_SIM_HANDLES_H

#include "mqcheck/simulation/sim.h"

enum { SIM_TOPOLOGY_KEYVAL = 89 };

/* MPICH's numbers for how datatypes are made. */
enum sim_dte {
    sim_dte_int = 0,
    sim_dte_double = 2,
    sim_dte_char = 6,
    sim_dte_contiguous = 12,
    sim_dte_hvector = 14,
    sim_dte_hindexed = 16,
    sim_dte_struct = 17
};

/* Adds the types, the table of handles, MPIR_TOPOLOGY_KEYVAL and the predefined
 * datatypes MPI_CHAR, MPI_INT and MPI_DOUBLE.
 */
void sim_add_handles(struct sim *);

/* The object that HANDLE leads to, or 0; and makes it lead to OBJECT. */
uint64_t sim_object(struct sim *, int handle);
void sim_bind(struct sim *, int handle, uint64_t object);

struct sim_datatype {
    int handle;
    enum sim_dte dte;
    int count, block_length;
    long long stride;
    const int *block_lengths;           /* COUNT of each */
    const long long *displacements;
    uint64_t inner;                     /* the type in it */
    const uint64_t *inners;             /* or, of a struct, COUNT of them */
    int size;
    long long extent;
};

uint64_t sim_add_datatype(struct sim *, const struct sim_datatype *);

/* Gives a communicator, its group and its error handler handles. */
void sim_name_communicator(struct sim *, uint64_t communicator, int handle,
                           int group, int errhandler);

/* Attributes, in any order of keyvals. */
void sim_add_attribute(struct sim *, uint64_t communicator, int keyval,
                       uint64_t value);
uint64_t sim_add_cartesian(struct sim *, uint64_t communicator, int ndims,
                           const int *dims, const int *periods,
                           const int *position);
uint64_t sim_add_graph(struct sim *, uint64_t communicator, int nodes,
                       const int *index, int edges, const int *ends);

uint64_t sim_add_op(struct sim *, int handle, uint64_t function,
                    bool commutes);
uint64_t sim_add_errhandler(struct sim *, int handle, uint64_t function);

/* A persistent request that is on no queue. */
struct sim_persistent {
    bool receive;
    bool active, complete;
    int handle;                 /* for Fortran */
    int peer, tag, count;       /* -1 and -2 for any, as in C */
    uint64_t buffer, datatype, communicator;
};

uint64_t sim_add_persistent(struct sim *, const struct sim_persistent *);

/* Makes the receive at HANDLE (sim_handle) one of COUNT of a datatype. */
void sim_set_datatype(struct sim *, uint64_t handle, uint64_t datatype,
                      int count);

#endif
