/* handle_scenario.h - simulated process with handles of every kind */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SIMULATION_HANDLE_SCENARIO_H
#define SIMULATION_HANDLE_SCENARIO_H

#include "mqcheck/simulation/scenario.h"
#include "mqcheck/simulation/sim_handles.h"

/* The communicators of the scenario and, in terms of MPICH's handles:
 *
 *   91  MPI_COMM_WORLD, group 200, error handler 119; MPI_TAG_UB is 4711, the
 *       user's attribute 301 is 0x5150
 *   92  MPI_COMM_SELF
 *   140 "copy of world", a 2 x 2 grid of which this process is (1,0), periodic
 *       in the first dimension, with the error handler 160
 *   141 "evens", a graph of two nodes
 *   142 the inter-communicator
 *   150 hvector of 100 blocks of 4 double, stride 512
 *   151 indexed: 2 int at 0, 1 at 32; 152 struct of 151 and 3 char
 *   153 contiguous, 3 of 150
 *   170 an operation of the user's that commutes
 *   1100 an inactive persistent receive of tag 77 from 1, as a Fortran handle
 */
struct handle_scenario {
    struct scenario base;
    uint64_t vector, indexed, structure, contiguous;
    uint64_t persistent_receive, persistent_send;
    uint64_t derived_receive;   /* the handle of the one that is posted */
    uint64_t cartesian;         /* the topology */
};

void handle_scenario_create(struct handle_scenario *, const struct sim_shape *,
                            const struct sim_layout *);

#endif
