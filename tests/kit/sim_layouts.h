/* sim_layouts.h - struct layouts for the simulated process
 *
 * The first layout is MPICH 1.2.7's; the others differ from it in one respect
 * each, some in ways that no MPICH has.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef TESTS_SIM_LAYOUTS_H
#define TESTS_SIM_LAYOUTS_H

#include "mqcheck/simulation/sim.h"

extern const struct sim_layout sim_layouts[];
extern const size_t sim_layout_count;

#endif
