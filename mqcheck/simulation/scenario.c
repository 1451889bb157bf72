/* scenario.c - simulated process with operations of every kind */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/simulation/scenario.h"

#include <stdio.h>
#include <string.h>

/* ---- The process --------------------------------------------------------- */

static void add_communicators(struct scenario *s)
{
    static const int me[] = { 2 }, evens[] = { 2, 0 }, odds[] = { 3, 1 };
    struct sim_communicator c = { .name = "MPI_COMM_WORLD", .local_rank = 2,
                                  .size = 4, .twin = true };

    s->world = sim_add_communicator(s->sim, &c);
    c = (struct sim_communicator){ .name = "MPI_COMM_SELF", .context = 2,
                                   .size = 1, .ranks = me, .twin = true };
    s->self = sim_add_communicator(s->sim, &c);
    c = (struct sim_communicator){ .name = "copy of world", .context = 4,
                                   .local_rank = 2, .table_of = s->world,
                                   .twin = true };
    s->copy = sim_add_communicator(s->sim, &c);
    c = (struct sim_communicator){ .name = "evens", .context = 8,
                                   .size = 2, .ranks = evens, .twin = true };
    s->evens = sim_add_communicator(s->sim, &c);
    c = (struct sim_communicator){ .context = 7, .send_context = 11,
                                   .local_rank = 0, .inter = true,
                                   .size = 2, .ranks = odds,
                                   .local_size = 2, .local_ranks = evens };
    s->inter = sim_add_communicator(s->sim, &c);
}

static void add_all(const struct scenario *s, enum mq_queue_class queue,
                    const struct sim_operation *operations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sim_operation operation = operations[i];

        operation.queue = queue;
        sim_add_operation(s->sim, &operation);
    }
}

static void add_receives(const struct scenario *s)
{
    const struct sim_operation receives[] = {
        { .communicator = s->world, .peer = SIM_ANY, .tag = 4711,
          .length = 1600, .buffer = 0x40000 },
        { .communicator = s->evens, .peer = SIM_ANY, .tag = SIM_ANY,
          .length = 50, .buffer = 0x41000 },
        { .communicator = s->world, .peer = 1, .tag = SIM_ANY,
          .length = 0, .buffer = 0 },
        { .communicator = s->inter, .peer = 0, .tag = 56, .length = 8,
          .buffer = 0xc0042000 },
        { .communicator = s->evens, .peer = 1, .tag = 55, .length = 40,
          .buffer = 0x43000, .persistent = true },
        { .communicator = s->copy, .peer = 3, .tag = 31000, .length = 24,
          .buffer = 0x44000, .packed = 0x45000, .persistent = true },
        { .communicator = s->copy, .peer = 0, .tag = 9, .length = 24,
          .buffer = 0x46000, .complete = true },
    };

    add_all(s, mq_receives, receives, sizeof receives / sizeof receives[0]);
}

static void add_unexpected(const struct scenario *s)
{
    const struct sim_operation messages[] = {
        { .communicator = s->inter, .peer = 0, .tag = 353, .length = 16,
          .buffer = 0x50000 },
        { .communicator = s->world, .peer = 1, .tag = 101, .length = 12,
          .buffer = 0x51000 },
        { .communicator = s->copy, .peer = 1, .tag = 201, .length = 100000,
          .buffer = 0xd0052000, .complete = true },
        { .communicator = s->world, .peer = 1, .tag = 301, .length = 0,
          .buffer = 0x53000 },
        { .communicator = s->inter, .peer = 1, .tag = 351, .length = 16,
          .buffer = 0x54000 },
    };

    add_all(s, mq_unexpected, messages, sizeof messages / sizeof messages[0]);
}

static void add_sends(const struct scenario *s)
{
    const struct sim_operation sends[] = {
        { .communicator = s->world, .peer = 3, .tag = 102, .length = 12,
          .buffer = 0x60000, .complete = true },
        { .communicator = s->inter, .peer = 0, .tag = 352, .length = 16,
          .buffer = 0x61000, .persistent = true },
        { .communicator = s->copy, .peer = 3, .tag = 202, .length = 100000,
          .buffer = 0x62000 },
        { .communicator = s->world, .peer = 0, .tag = 302, .length = 0,
          .buffer = 0 },
    };

    add_all(s, mq_sends, sends, sizeof sends / sizeof sends[0]);
}

void scenario_create(struct scenario *s, const struct sim_shape *shape,
                     const struct sim_layout *layout,
                     enum sim_placement placement)
{
    s->sim = sim_create(shape, layout, placement, 2, 4);
    add_communicators(s);
    add_receives(s);
    add_unexpected(s);
    add_sends(s);
}

struct sim *scenario_world(uint64_t *world)
{
    struct sim *sim = sim_create(NULL, NULL, sim_contiguous, 0, 4);
    const struct sim_communicator description = { .name = "MPI_COMM_WORLD",
                                                  .size = 4 };

    *world = sim_add_communicator(sim, &description);
    return sim;
}

/* ---- What is shown of it ------------------------------------------------- */

static const char everything[] =
    "comm local_rank=2 size=4 name=\"MPI_COMM_WORLD\"\n"
    "group 0 1 2 3\n"
    "receive status=pending desired_local=-1 desired_global=-1 tag=4711"
    " length=1600 system=0 buffer=0x40000\n"
    "receive status=pending desired_local=1 desired_global=1 tag=any"
    " length=0 system=0 buffer=0x0\n"
    "unexpected status=pending desired_local=1 desired_global=1 tag=101"
    " length=12 system=1 buffer=0x51000\n"
    "unexpected status=pending desired_local=1 desired_global=1 tag=301"
    " length=0 system=1 buffer=0x0\n"
    "send status=complete desired_local=3 desired_global=3 tag=102"
    " length=12 system=0 buffer=0x60000 actual_local=3 actual_global=3"
    " actual_tag=102 actual_length=12\n"
    "  | Non-blocking send\n"
    "send status=pending desired_local=0 desired_global=0 tag=302"
    " length=0 system=0 buffer=0x0 actual_local=0 actual_global=0"
    " actual_tag=302 actual_length=0\n"
    "  | Non-blocking send\n"
    "comm local_rank=2 size=4 name=\"MPI_COMM_WORLD_collective\"\n"
    "group 0 1 2 3\n"
    "comm local_rank=0 size=1 name=\"MPI_COMM_SELF\"\n"
    "group 2\n"
    "comm local_rank=0 size=1 name=\"MPI_COMM_SELF_collective\"\n"
    "group 2\n"
    "comm local_rank=2 size=4 name=\"copy of world\"\n"
    "group 0 1 2 3\n"
    "receive status=pending desired_local=3 desired_global=3 tag=31000"
    " length=24 system=0 buffer=0x44000\n"
    "  | Persistent request\n"
    "  | Derived datatype; the length is that when packed\n"
    "receive status=complete desired_local=0 desired_global=0 tag=9"
    " length=24 system=0 buffer=0x46000 actual_local=0 actual_global=0"
    " actual_tag=9 actual_length=24\n"
    "unexpected status=complete desired_local=1 desired_global=1 tag=201"
    " length=100000 system=1 buffer=0xd0052000 actual_local=1"
    " actual_global=1 actual_tag=201 actual_length=100000\n"
    "send status=pending desired_local=3 desired_global=3 tag=202"
    " length=100000 system=0 buffer=0x62000 actual_local=3 actual_global=3"
    " actual_tag=202 actual_length=100000\n"
    "  | Non-blocking send\n"
    "comm local_rank=2 size=4 name=\"copy of world_collective\"\n"
    "group 0 1 2 3\n"
    "comm local_rank=0 size=2 name=\"--unnamed--\"\n"
    "group 3 1\n"
    "receive status=pending desired_local=0 desired_global=3 tag=56"
    " length=8 system=0 buffer=0xc0042000\n"
    "unexpected status=pending desired_local=0 desired_global=3 tag=353"
    " length=16 system=1 buffer=0x50000\n"
    "unexpected status=pending desired_local=1 desired_global=1 tag=351"
    " length=16 system=1 buffer=0x54000\n"
    "send status=pending desired_local=0 desired_global=3 tag=352"
    " length=16 system=0 buffer=0x61000 actual_local=0 actual_global=3"
    " actual_tag=352 actual_length=16\n"
    "  | Non-blocking send\n"
    "  | Persistent request\n"
    "comm local_rank=0 size=2 name=\"evens\"\n"
    "group 2 0\n"
    "receive status=pending desired_local=-1 desired_global=-1 tag=any"
    " length=50 system=0 buffer=0x41000\n"
    "receive status=pending desired_local=1 desired_global=0 tag=55"
    " length=40 system=0 buffer=0x43000\n"
    "  | Persistent request\n"
    "comm local_rank=0 size=2 name=\"evens_collective\"\n"
    "group 2 0\n";

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* Appends a line, with the packing buffer in place of the user's if STARTS is
 * not set.
 */
static char *append(char *end, const char *line, size_t length, bool starts)
{
    const char *const user = "buffer=0x44000";
    char *copy = memcpy(end, line, length), *found;

    copy[length] = '\0';
    found = starts ? NULL : strstr(copy, user);
    if (found != NULL)
        found[strlen(user) - 4] = '5';
    return end + length;
}

const char *scenario_expected(bool sends, bool starts)
{
    static char text[2 * sizeof everything];
    char *end = text;
    bool in_send = false;

    for (const char *line = everything, *next; *line != '\0'; line = next) {
        next = strchr(line, '\n') + 1;
        if (!begins(line, "  |"))
            in_send = begins(line, "send");
        if (!sends && begins(line, "comm") && line != everything)
            end += sprintf(end, "none send\n");
        if (sends || !in_send)
            end = append(end, line, (size_t)(next - line), starts);
    }
    sprintf(end, "%s", sends ? "" : "none send\n");
    return text;
}
