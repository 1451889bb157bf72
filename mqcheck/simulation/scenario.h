/* scenario.h - simulated process with operations of every kind
 *
 * Global rank 2 of 4.  Communicators: world, self, a copy of world that shares
 * its group, the even ranks in reverse order, each with its collective twin,
 * and an unnamed inter-communicator to the odd ranks in reverse order.
 * Receives with each wildcard, exact, complete, persistent and of a derived
 * datatype; unexpected messages small, empty, large and complete; sends pending
 * and complete.  Each queue mixes the communicators.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef MQ_SCENARIO_H
#define MQ_SCENARIO_H

#include "mqcheck/simulation/sim.h"

struct scenario {
    struct sim *sim;
    uint64_t world, self, copy, evens, inter;
};

/* The arguments are those of sim_create. */
void scenario_create(struct scenario *, const struct sim_shape *,
                     const struct sim_layout *, enum sim_placement);

/* A process of rank 0 of 4 with MPI_COMM_WORLD, without a twin, in le64. */
struct sim *scenario_world(uint64_t *world);

/* What session_show must give for the scenario, by whether sends can be known,
 * and where a derived datatype's data go (else the packing buffer is shown).
 * In a static buffer.
 */
const char *scenario_expected(bool sends, bool starts);

#endif
