/* test_datatype_text.c - extra text for receives of derived datatypes */
/* SPDX-License-Identifier: BSD-2-Clause */
#include "mqcheck/simulation/handle_scenario.h"
#include "tests/kit/harness.h"
#include "tests/kit/session.h"

static const char known[] =
    "  | Derived datatype; the length is that when packed\n"
    "  | Datatype: vector of 100 blocks of 4 double, stride 512 bytes\n";

static const char unreadable[] =
    "  | Derived datatype; the length is that when packed\n"
    "  | Unreadable datatype: damaged, or freed\n";

/* Shows the queues after a member of the datatype was set; MEMBER may be null.
 */
static void check_line(const struct sim_shape *shape, const char *what,
                       const char *member, int64_t value, const char *wanted)
{
    struct handle_scenario s;
    struct session session;

    test("%s, %s", shape->name, what);
    handle_scenario_create(&s, shape, NULL);
    if (member != NULL)
        sim_set(s.base.sim, s.vector, "MPIR_DATATYPE", member, value);
    session_open(&session, sim_target(s.base.sim));
    CHECK_INT(session.status, mqs_ok);
    CHECK_CONTAINS(session_show(&session), wanted);
    session_close(&session);
    sim_destroy(s.base.sim);
}

int main(void)
{
    for (size_t i = 0; i < sim_shape_count; i++) {
        const struct sim_shape *shape = &sim_shapes[i];

        check_line(shape, "a datatype", NULL, 0, known);
        check_line(shape, "one that was freed", "cookie", 0, unreadable);
        check_line(shape, "one of no kind", "dte_type", 99, unreadable);
        check_line(shape, "one of a negative count", "count", -1, unreadable);
        check_line(shape, "an inner type that is nowhere", "old_type", 64,
                   unreadable);
        check_line(shape, "a predefined one", "self", 11,
                   "  | Datatype: double\n");
        check_line(shape, "one that is longer than a line", "stride",
                   1000000000,
                   "4 double, stride ...\n");
    }
    return tests_end();
}
