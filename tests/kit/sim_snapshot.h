/* sim_snapshot.h - a simulated process as an mqsnap file */
/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_SIM_SNAPSHOT_H
#define TESTS_SIM_SNAPSHOT_H

#include "mqcheck/simulation/sim.h"

/* Writes the process.  Whether all went well is left to ferror. */
void sim_write_snapshot(struct sim *, FILE *);

#endif
