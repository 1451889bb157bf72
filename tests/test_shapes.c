/* The same process gives the same answers whatever the target's word size, byte
 * order and layout, wherever its heap puts things, live or as a snapshot.
 */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "scenario.h"
#include "session.h"
#include "snapshot.h"


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
    CHECK_INT(mq_store_blocks(), 0);
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

int main(void)
{
    for (size_t shape = 0; shape < sim_shape_count; shape++)
        for (size_t layout = 0; layout < sim_layout_count; layout++) {
            check_scenario(&sim_shapes[shape], &sim_layouts[layout],
                           sim_contiguous);
            check_scenario(&sim_shapes[shape], &sim_layouts[layout],
                           sim_scattered);
        }
    return tests_end();
}
