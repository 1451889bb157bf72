/* test_shapes.c - same results for all word sizes and byte orders
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include <stdlib.h>
#include <string.h>

#include "dll/callbacks.h"
#include "mqcheck/simulation/scenario.h"
#include "target/snapshot.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"
#include "tests/kit/sim_layouts.h"
#include "tests/kit/sim_snapshot.h"


static bool is_hidden(const struct sim_layout *layout, const char *name)
{
    for (const char *const *p = layout->hidden; *p != NULL; p++)
        if (strcmp(*p, name) == 0)
            return true;
    return false;
}

/* Whether communicators and operations are identified by their addresses. */
static void check_ids(struct session *session, const struct scenario *s)
{
    const uint64_t ids[] = { s->world, s->self, s->copy, s->evens, s->inter };

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        CHECK_INT(session_go_to(session, ids[i]), mqs_ok);
}

/* The process as a snapshot shows it. */
static struct mq_target *as_snapshot(struct sim *sim)
{
    struct mq_target *target = NULL;
    struct mq_error error = { "" };
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);

    if (file == NULL)
        exit(2);
    sim_write_snapshot(sim, file);
    fclose(file);
    mq_snapshot_parse("sim.mqsnap", text, length, &error, &target);
    CHECK_STRING(error.text, "");
    free(text);
    return target;
}

static void check_target(struct mq_target *target, const struct scenario *s,
                         const char *expected)
{
    struct session session;

    session_open(&session, target);
    CHECK_INT(session.status, mqs_ok);
    CHECK_INT(session.dll->get_global_rank(&session.process), 2);
    CHECK_STRING(session_show(&session), expected);
    check_ids(&session, s);
    session_close(&session);
    CHECK_INT(mq_store.blocks, 0);
    CHECK_INT(mq_store.overruns, 0);
}

static void check_scenario(const struct sim_shape *shape,
                           const struct sim_layout *layout,
                           enum sim_placement placement)
{
    struct scenario s;
    struct mq_target *snapshot;
    bool sends = !is_hidden(layout, "MPIR_Sendq") &&
                 !is_hidden(layout, "MPIR_SQUEUE");
    const char *expected;

    test("%s, %s, %s", shape->name, layout->name,
         placement == sim_contiguous ? "contiguous" : "scattered");
    scenario_create(&s, shape, layout, placement);
    expected = scenario_expected(sends,
                                 sim_has(s.sim, "MPIR_RHANDLE", "start"));
    check_target(sim_target(s.sim), &s, expected);
    snapshot = as_snapshot(s.sim);
    if (snapshot != NULL)
        check_target(snapshot, &s, expected);
    mq_target_destroy(snapshot);
    sim_destroy(s.sim);
}

/* Ints that are not four bytes wide. */
static void check_int_size(enum mq_byte_order order, int int_size,
                           int pointer_size)
{
    const struct sim_shape shape = {
        "odd", order, { 2, int_size, pointer_size, 8, pointer_size }
    };
    static const int ranks[] = { 3, 1 };
    struct sim *sim = sim_create(&shape, NULL, sim_contiguous, 1, 4);
    struct session session;
    uint64_t pair;

    test("ints of %d bytes, pointers of %d", int_size, pointer_size);
    pair = sim_add_communicator(sim, &(struct sim_communicator){
        .name = "pair", .local_rank = 1, .size = 2, .ranks = ranks });
    sim_add_operation(sim, &(struct sim_operation){
        .queue = mq_receives, .communicator = pair, .peer = 0, .tag = -300,
        .length = 20000, .buffer = 0xc0004000 });
    session_open(&session, sim_target(sim));
    CHECK_INT(session.dll->get_global_rank(&session.process), 1);
    CHECK_STRING(session_show(&session),
                 "comm local_rank=1 size=2 name=\"pair\"\n"
                 "group 3 1\n"
                 "receive status=pending desired_local=0 desired_global=3"
                 " tag=-300 length=20000 system=0 buffer=0xc0004000\n");
    session_close(&session);
    sim_destroy(sim);
}

int main(void)
{
    check_int_size(mq_little_endian, 2, 4);
    check_int_size(mq_big_endian, 2, 4);
    check_int_size(mq_little_endian, 8, 8);
    check_int_size(mq_big_endian, 8, 8);
    for (size_t shape = 0; shape < sim_shape_count; shape++)
        for (size_t layout = 0; layout < sim_layout_count; layout++) {
            check_scenario(&sim_shapes[shape], &sim_layouts[layout],
                           sim_contiguous);
            check_scenario(&sim_shapes[shape], &sim_layouts[layout],
                           sim_scattered);
        }
    return tests_end();
}
