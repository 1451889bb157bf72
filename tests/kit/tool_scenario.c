/* tool_scenario.c - scenario SHAPE: writes an mqsnap file of the scenario's
 * process in a shape
 */
/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "mqcheck/simulation/scenario.h"
#include "tests/kit/sim_snapshot.h"

int main(int argc, char **argv)
{
    struct scenario scenario;
    size_t i = 0;

    while (i < sim_shape_count && argc > 1
           && strcmp(sim_shapes[i].name, argv[1]) != 0)
        i++;
    if (argc != 2 || i == sim_shape_count) {
        fprintf(stderr, "scenario: name a shape, as le64\n");
        return 2;
    }
    scenario_create(&scenario, &sim_shapes[i], NULL, sim_contiguous);
    sim_write_snapshot(scenario.sim, stdout);
    sim_destroy(scenario.sim);
    return fflush(stdout) != 0;
}
