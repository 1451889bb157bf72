/* tool_snapshot.c - writes an mqsnap file of rank 0 of 4
 *
 * tool_snapshot [DAMAGE [VALUE]]
 *
 * Two receives and an unexpected message are pending on MPI_COMM_WORLD.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdio.h>
#include <string.h>

#include "mqcheck/simulation/scenario.h"
#include "tests/kit/sim_snapshot.h"

struct process {
    struct sim *sim;
    uint64_t world, receives[2];
    const char *value;
};

static void do_nothing(struct process *process)
{
    (void)process;
}

/* The second receive is followed by the first. */
static void close_loop(struct process *process)
{
    sim_set(process->sim, process->receives[1], "MPID_QEL", "next",
            (int64_t)process->receives[0]);
}

static void hide_sends(struct process *process)
{
    sim_hide(process->sim, "MPIR_Sendq", NULL, true);
}

static void hide_a_type(struct process *process)
{
    sim_hide(process->sim, "MPID_QEL", NULL, true);
}

static void name_dll(struct process *process)
{
    sim_write(process->sim, sim_symbol(process->sim, "MPIR_dll_name"),
              process->value, strlen(process->value) + 1);
}

static void rename_world(struct process *process)
{
    sim_rename(process->sim, process->world, "a \"b\"\033[2J\n\\c");
}

static const struct {
    const char *name;
    void (*apply)(struct process *);
} damages[] = {
    {"none", do_nothing},
    {"loop", close_loop},
    {"no-sends", hide_sends},
    {"no-type", hide_a_type},
    {"dll-name", name_dll},
    {"wild-name", rename_world},
};

static void create(struct process *process)
{
    static const struct sim_operation operations[] = {
        {.queue = mq_receives, .peer = SIM_ANY, .tag = 7, .length = 16,
         .buffer = 0x4000},
        {.queue = mq_receives, .peer = 3, .tag = SIM_ANY, .length = 160000,
         .buffer = 0x5000},
        {.queue = mq_unexpected, .peer = 2, .tag = 8, .length = 16,
         .buffer = 0x6000},
    };
    struct sim_operation operation;
    size_t i;

    process->sim = scenario_world(&process->world);
    for (i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        uint64_t element;

        operation = operations[i];
        operation.communicator = process->world;
        element = sim_add_operation(process->sim, &operation);
        if (i < 2)
            process->receives[i] = element;
    }
}

int main(int argc, char **argv)
{
    const char *damage = argc > 1 ? argv[1] : "none";
    struct process process;
    size_t i;

    for (i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        if (strcmp(damage, damages[i].name) == 0)
            break;
    }
    if (i == sizeof damages / sizeof damages[0]) {
        fprintf(stderr, "snapshot: there is no damage %s\n", damage);
        return 2;
    }
    create(&process);
    process.value = argc > 2 ? argv[2] : "";
    damages[i].apply(&process);
    sim_write_snapshot(process.sim, stdout);
    sim_destroy(process.sim);
    return fflush(stdout) != 0;
}
