/* tool_handles.c - handles SHAPE: writes an mqsnap file of a process with
 * handles of every kind, and on stderr the values of its requests
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mqcheck/simulation/handle_scenario.h"
#include "tests/kit/sim_snapshot.h"

int main(int argc, char **argv)
{
    struct handle_scenario scenario;
    size_t i = 0;

    while (i < sim_shape_count && argc > 1
           && strcmp(sim_shapes[i].name, argv[1]) != 0)
        i++;
    if (argc != 2 || i == sim_shape_count) {
        fprintf(stderr, "handles: name a shape, as le64\n");
        return 2;
    }
    handle_scenario_create(&scenario, &sim_shapes[i], NULL);
    sim_write_snapshot(scenario.base.sim, stdout);
    fprintf(stderr, "0x%" PRIx64 " 0x%" PRIx64 "\n",
            scenario.persistent_receive, scenario.derived_receive);
    sim_destroy(scenario.base.sim);
    return fflush(stdout) != 0;
}
